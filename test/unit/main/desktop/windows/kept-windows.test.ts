import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SessionId } from "../../../../../core/protocol/ids.ts";
import { keptWindows } from "../../../../../main/desktop/windows/kept-windows.ts";
import { WindowPlacementStore } from "../../../../../main/desktop/windows/window-placement.ts";

const place = { x: 100, y: 50, width: 1280, height: 800, maximized: false };
const there = {
  via: "remote",
  machine: "box",
  session: { id: SessionId.parse("abcDEF123456-_xy"), name: "work" },
} as const;
let folder: string;
let places: WindowPlacementStore;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "patchbay-kept-"));
  places = new WindowPlacementStore(path.join(folder, "windows.json"), () => undefined);
});
afterEach(() => rmSync(folder, { recursive: true }));

function parts(openMachine: () => Promise<"opened" | "key-wanted">) {
  const openLocal = vi.fn((session: string) => session !== "gone");
  return { places, openLocal, openMachine: vi.fn(openMachine), missing: vi.fn(), log: vi.fn() };
}

test("opens what was open, once, and forgets a session that was closed meanwhile", async () => {
  places.remember("a", place, true);
  places.remember("closed", place);
  places.remember("gone", place, true);
  places.remember("box/work", place, there);
  places.remember("b", place, true);
  const options = parts(async () => "opened");
  const show = keptWindows(options);
  expect([show(), show()]).toEqual([true, false]);
  expect(options.openLocal.mock.calls).toEqual([["a"], ["gone"], ["b"]]);
  expect(options.openMachine.mock.calls).toEqual([[there]]);
  expect(places.open().map(({ name }) => name)).toEqual(["a", "box/work", "b"]);
  expect(options.missing).not.toHaveBeenCalled();
});

test("opens nothing where nothing was open", () => {
  places.remember("a", place);
  const options = parts(async () => "opened");
  expect(keptWindows(options)()).toBe(false);
  expect(options.openLocal).not.toHaveBeenCalled();
});

test.each([
  ["has no key any more", async () => "key-wanted" as const, 0],
  ["is none of the user's any more", () => Promise.reject(new Error("There is no machine box now.")), 1],
])("a machine that %s is left alone at the start after", async (_what, openMachine, lines) => {
  places.remember("box/work", place, there);
  const options = parts(openMachine);
  expect(keptWindows(options)()).toBe(true);
  await vi.waitFor(() => expect(options.missing).toHaveBeenCalledOnce());
  expect(places.open()).toEqual([]);
  expect(options.log).toHaveBeenCalledTimes(lines);
});
