// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from "vitest";
import { OutcomeUnknown } from "../../../../../renderer/tray/host.ts";
import { RelayCalls, RelayUnreachable } from "../../../../../renderer/tray/start/call-relay.ts";

const session = "session-0000000a";

test.each([
  ["an answer after its own wait and 15 s", "answerQuestion", { session, id: 1, wait: 12 }, 27_000, OutcomeUnknown],
  ["a change after 15 s", "closeSession", { session }, 15_000, OutcomeUnknown],
  ["what is read after 30 s", "getOverview", {}, 30_000, RelayUnreachable],
  ["a command after 15 s", undefined, { request: 4, allow: true }, 15_000, OutcomeUnknown],
] as const)("a relay that hangs is given up: %s", async (_what, operation, params, limitMs, refusal) => {
  const before = globalThis.fetch;
  onTestFinished(() => {
    globalThis.fetch = before;
  });
  globalThis.fetch = (_url, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
    });
  const limit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
  const calls = new RelayCalls(new URL("http://127.0.0.1:7717/"), "pb_key");
  const call =
    operation === undefined ? calls.command(session, "answerAdopt", params, undefined) : calls.run(operation, params);
  const refused = expect(call).rejects.toBeInstanceOf(refusal);
  expect(timeout).toHaveBeenCalledWith(limitMs);
  limit.abort();
  await refused;
});
