import { expect, test } from "vitest";
import { guardLink } from "../../../client/guard-link.ts";
import type { ClientLink, ToClient, ToRelay } from "../../../core/protocol/link.ts";

/** A guarded link to a machine whose frames the test sends. */
function guarded(receive: (frame: ToClient) => void) {
  const sent: ToRelay[] = [];
  const closed: string[] = [];
  let deliver: (frame: ToClient) => void = () => undefined;
  const link: ClientLink = {
    send: (frame) => void sent.push(frame),
    close: (reason) => void closed.push(reason),
    onClose: () => undefined,
    onFrame: (listener) => {
      deliver = listener;
    },
  };
  guardLink(link).onFrame(receive);
  return { sent, closed, say: (frame: ToClient) => deliver(frame) };
}

const execute = (method: string, params: unknown) => ({ type: "execute", id: 7, method, params }) as const;

test("a command reaches the client with parameters as declared, and no other", () => {
  const received: ToClient[] = [];
  const { sent, say } = guarded((frame) => void received.push(frame));
  const taken = [execute("renameTile", { key: 1, name: "a", newer: true }), execute("noMethodOfThisApp", { a: 1 })];
  for (const frame of taken) say(frame);
  for (const params of [{ key: 1, name: [["a"]] }, { key: 1 }, null, "x"]) say(execute("renameTile", params));
  expect(received).toEqual(taken);
  expect(sent).toEqual(
    Array.from({ length: 4 }, () => ({
      ...{ type: "failed", id: 7 },
      error: { code: "invalid_params", message: expect.stringContaining("not as this app declares them") },
    })),
  );
});

test("a machine welcomes the client once for each link", () => {
  const received: ToClient[] = [];
  const { closed, say } = guarded((frame) => void received.push(frame));
  const welcome = { type: "welcome" } as ToClient;
  say(welcome);
  expect(closed).toEqual([]);
  say(welcome);
  expect([closed, received]).toEqual([["a second welcome"], [welcome]]);
});

test("a frame at which the client throws ends the link, and nothing else", () => {
  const { closed, say } = guarded(() => {
    throw new RangeError("Maximum call stack size exceeded");
  });
  say({ type: "answer", id: 1, value: 1 });
  expect(closed).toEqual(["a frame that no relay sends"]);
});
