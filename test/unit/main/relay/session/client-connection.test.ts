import { afterEach, expect, test, vi } from "vitest";
import { RemoteError } from "../../../../../core/protocol/errors.ts";
import { type ClientFrame, PROTOCOL_VERSION } from "../../../../../core/protocol/frames.ts";
import { linkedPair, type ToClient } from "../../../../../core/protocol/link.ts";
import { userCaller } from "../../../../../main/relay/access/permits/caller.ts";
import { until } from "../../../../support/until.ts";
import { smallSession } from "../small-session.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** A client of which every frame is the test's, in a session whose disk takes no layouts. */
async function unsavedClient() {
  const lab = smallSession();
  const pair = linkedPair();
  const frames: ToClient[] = [];
  pair.client.onFrame((frame) => frames.push(frame));
  lab.session.clients.join(pair.relay, { name: "ann", role: "admin" });
  const say = (frame: ClientFrame) => pair.client.send(frame);
  say({ type: "hello", protocol: PROTOCOL_VERSION, device: "test", clientKind: "desktop" });
  const connection = await until("the client", () => lab.session.clients.only);
  const put = vi.spyOn(lab.store.clients, "put").mockImplementation(() => {
    throw new RemoteError("storage_failed", "The disk is full.");
  });
  return {
    say,
    change: () => say({ type: "state", focus: null, workspace: 0, saved: {} }),
    /** Sends a command; resolves to its id, and to how it ends. */
    async command(method = "resetLayout", params = {}) {
      const before = frames.length;
      const caller = userCaller("ann", "test");
      const ended = connection.execute({ method, params, caller, timeoutMs: 5000 }).then(
        ({ value }) => value,
        (error: unknown) => error,
      );
      const ids = () => frames.slice(before).flatMap((frame) => (frame.type === "execute" ? [frame.id] : []));
      return { id: await until("the command", () => ids()[0]), ended };
    },
    saved: () => put.mock.calls.length,
    toasts: () => frames.flatMap((frame) => (frame.type === "event" && frame.event.type === "toast" ? [frame] : [])),
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  };
}

test("a command whose layout could not be saved fails, and says that it was done all the same", async () => {
  await using client = await unsavedClient();
  const { id, ended } = await client.command();
  client.change();
  client.say({ type: "result", id, value: "done" });
  expect(await ended).toMatchObject({
    code: "storage_failed",
    message: "The command succeeded, but saving the layout failed. The disk is full.",
  });
  const next = await client.command();
  client.say({ type: "result", id: next.id, value: "done" });
  expect(await next.ended).toBe("done");
});

test("a command fails neither for what the user has changed before it, nor for one that failed", async () => {
  await using client = await unsavedClient();
  client.change();
  await until("the attempt to save", () => client.saved() === 1);
  const first = await client.command();
  client.say({ type: "result", id: first.id, value: "done" });
  expect(await first.ended).toBe("done");
  const failing = await client.command();
  client.change();
  client.say({ type: "failed", id: failing.id, error: { code: "unknown_tile", message: "No tile 9." } });
  expect(await failing.ended).toMatchObject({ code: "unknown_tile" });
  const last = await client.command();
  client.say({ type: "result", id: last.id, value: "done" });
  expect(await last.ended).toBe("done");
});

test.each(["elsewhere", 1, null])("a client that says it showed a toast by %j fails, and none is told", async (by) => {
  await using client = await unsavedClient();
  const { id, ended } = await client.command("toast", { message: "done", kind: "info" });
  client.say({ type: "delegate", id, op: "toastShown", params: { by } });
  expect(await ended).toMatchObject({
    code: "client_failed",
    message: expect.stringContaining("answered toast with something else than how it showed it"),
  });
  expect(client.toasts()).toEqual([]);
});
