import { describe } from "vitest";
import { CALLED, type CalledRelay, compareThroughFleet } from "../contract/compare-through-fleet.ts";
import { checkDescribed } from "../support/described-answer.ts";
import { type NamespacedFleet, startNamespacedFleet } from "../support/namespaced-fleet.ts";
import { namespacesMissing } from "../support/network-namespaces.ts";

/** Built relays start slowly on a busy machine. */
const START_MS = 120_000;

const missing = namespacesMissing();
const title = "three relays in three network namespaces";

describe.skipIf(missing !== undefined)(missing === undefined ? title : `${title} (not run: ${missing})`, () => {
  compareThroughFleet(async () => {
    // The session's relay is in this process and its namespace, so that its clients can be too.
    const fleet = await startNamespacedFleet(CALLED, { own: "box" });
    return {
      joining: fleet.joining,
      called: (name) => relayOf(fleet, name),
      [Symbol.asyncDispose]: () => fleet[Symbol.asyncDispose](),
    };
  }, START_MS);
});

function relayOf(fleet: NamespacedFleet, name: string): CalledRelay {
  return {
    async request(method, path, options = {}) {
      const { status, text, headers } = await fleet.send(name, method, path, options);
      const answer = { status, text, headers: new Headers(headers) };
      checkDescribed({ method, path, body: options.body, ...answer });
      return answer;
    },
  };
}
