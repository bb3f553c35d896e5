import { expect, test } from "vitest";
import { relayForDesktop } from "../../../../main/entry/desktop-relay.ts";
import type { RunningRelay } from "../../../../main/entry/start-relay.ts";
import { startTestRelay } from "../../../support/test-relay.ts";

test("what is pressed in the panel is one call in the name of the user's client, and shows presence", async () => {
  await using relay = await startTestRelay();
  await using person = await relay.join({ place: "desktop" });
  const { session } = relay;
  const { presence } = relay.relay.sessions.get(session);
  const where = { session, client: person.client.self?.id };
  const desk = relayForDesktop({ relay: relay.relay } as RunningRelay);
  await relay.command("restrictShells", { state: "off" });
  expect(presence.within(60_000)).toBe(false);

  expect(await desk.call("restrictShells", { state: "on" }, where)).toEqual({ restricted: true });
  expect(presence.within(60_000)).toBe(true);
  await expect(desk.call("restrictShells", { on: false }, where)).rejects.toMatchObject({ code: "invalid_params" });
  await expect(desk.call("answerAgent", { request: 4, answer: "no" }, where)).rejects.toMatchObject({
    code: "unknown_request",
  });
  const calls = relay.relay.audit.list({ limit: 100, kind: "call" }).filter(({ from }) => from === "panel");
  expect(calls.map(({ action, outcome, client }) => [action, outcome, client]).toReversed()).toEqual([
    ["restrictShells", "ok", where.client],
    ["restrictShells", "invalid_params", null],
    ["answerAgent", "unknown_request", where.client],
  ]);
});
