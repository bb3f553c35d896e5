import { beforeEach, expect, test, vi } from "vitest";
import { type ChannelHandlers, serveIpc } from "../../../../../main/desktop/ipc/ipc.ts";
import { invokeNames } from "../../../../../preload/channel-names.ts";
import { invokeChannels } from "../../../../../preload/channels.ts";

type Heard = (event: unknown, args: unknown) => unknown;
// Modules that other files have loaded do not have what is mocked here.
vi.hoisted(() => vi.resetModules());
const electron = vi.hoisted(() => ({ asks: new Map<string, unknown>(), tells: new Map<string, unknown>() }));
vi.mock("electron", () => ({
  ipcMain: {
    handle: (name: string, heard: unknown) => electron.asks.set(name, heard),
    removeHandler: (name: string) => electron.asks.delete(name),
    on: (name: string, heard: unknown) => electron.tells.set(name, heard),
    off: (name: string) => electron.tells.delete(name),
  },
}));

const ours = { id: 1 };
const page = { url: "app://patchbay/window/index.html", parent: null };
const execute = { method: "getTiles", params: {} };
let calls: unknown[];
let stop: () => void;

beforeEach(() => {
  calls = [];
  const handlers = Object.fromEntries(
    Object.keys(invokeNames).map((name) => [
      name,
      (_caller: unknown, args: unknown) => {
        calls.push([name, args]);
        return "done";
      },
    ]),
  ) as unknown as ChannelHandlers;
  stop = serveIpc(handlers, (contents) => (contents as unknown) === ours);
});

function ask(name: string, args: unknown, event: object = { sender: ours, senderFrame: page }): unknown {
  return (electron.asks.get(name) as Heard)(event, args);
}

function tell(name: string, args: unknown, event: object = { sender: ours, senderFrame: page }): void {
  (electron.tells.get(name) as Heard)(event, args);
}

test("every declared channel is served, and none is left after the end", () => {
  expect([...electron.asks.keys(), ...electron.tells.keys()].sort()).toEqual(Object.keys(invokeNames).sort());
  expect(Object.keys(invokeChannels).sort()).toEqual(Object.keys(invokeNames).sort());
  stop();
  expect(electron.asks.size + electron.tells.size).toBe(0);
});

test("a call of our own page runs", async () => {
  expect(await ask("session.execute", execute)).toEqual({ ok: true, value: "done" });
  tell("session.write", { shell: 1, data: "ls\r" });
  expect(calls).toEqual([
    ["session.execute", execute],
    ["session.write", { shell: 1, data: "ls\r" }],
  ]);
});

test.each([
  ["a foreign window", { sender: { id: 2 }, senderFrame: page }],
  ["a frame inside our page", { sender: ours, senderFrame: { ...page, parent: page } }],
  ["a page that has navigated away", { sender: ours, senderFrame: { url: "https://example.com/", parent: null } }],
  ["a frame that is gone", { sender: ours, senderFrame: null }],
])("a call of %s does not", async (_who, event) => {
  expect(await ask("session.execute", execute, event)).toMatchObject({ ok: false, code: "scope_forbids" });
  tell("session.write", { shell: 1, data: "rm -rf ~\r" }, event);
  expect(calls).toEqual([]);
});

test.each([
  ["session.execute", { method: 1, params: {} }],
  ["session.execute", { ...execute, session: "other" }],
  ["session.execute", undefined],
])("arguments that do not fit %s are refused: %j", async (name, args) => {
  expect(await ask(name, args)).toMatchObject({ ok: false, code: "invalid_params" });
  expect(calls).toEqual([]);
});

test.each([
  ["session.write", { shell: 1, data: "" }],
  ["session.write", { shell: 1, data: "x".repeat(256 * 1024 + 1) }],
  ["session.resize", { shell: 1, cols: 0, rows: 24 }],
  ["outside.open", { url: "file:///etc/passwd" }],
  ["outside.open", { url: "javascript:alert(1)" }],
])("what does not fit %s is dropped", (name, args) => {
  tell(name, args);
  expect(calls).toEqual([]);
});
