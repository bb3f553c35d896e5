import type { WebContents } from "electron";
import { expect, test, vi } from "vitest";
import { SessionId } from "../../../../../core/protocol/ids.ts";

vi.hoisted(() => vi.resetModules());
vi.mock("electron", () => ({ clipboard: {}, dialog: {}, shell: {} }));

const { panelChannels } = await import("../../../../../main/desktop/panel/panel-channels.ts");

const page = {} as WebContents;
const session = SessionId.parse("session-0000000a");

/** Calls of a panel in an app that has one session, and what reaches the relay. */
function panel() {
  const called: unknown[] = [];
  const channels = panelChannels({
    pages: [{ owns: () => true }],
    sessions: { find: (id: string) => (id === session ? { client: { self: { id: 7 } } } : undefined) },
    relay: { call: async (...call: unknown[]) => void called.push(call) },
    changed: () => undefined,
  } as never);
  const run = (operation: string, params: Record<string, unknown>, at?: SessionId) =>
    channels["panel.run"](page, { operation, params, session: at });
  return { run, called };
}

test("a command goes to the relay with its session and the app's client there, an operation with neither", async () => {
  const { run, called } = panel();
  await run("answerAdopt", { request: 4, allow: true }, session);
  await run("listKeys", {});
  expect(called).toEqual([
    ["answerAdopt", { request: 4, allow: true }, { session, client: 7 }],
    ["listKeys", {}, { session: undefined, client: undefined }],
  ]);
});

test("what is not declared for the panel, and a command without an open session, do not reach the relay", async () => {
  const { run, called } = panel();
  for (const name of ["closeTile", "createInvite", "constructor"]) {
    await expect(run(name, {}, session)).rejects.toThrow(`${name} is not for the panel.`);
  }
  const closed = SessionId.parse("session-0000000b");
  for (const at of [closed, undefined]) {
    await expect(run("restrictShells", { state: "on" }, at)).rejects.toThrow("This session was closed meanwhile.");
  }
  expect(called).toEqual([]);
});
