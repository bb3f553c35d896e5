import { beforeEach, expect, test } from "vitest";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import {
  followFocus,
  hostOfWindow,
  isDrawnHere,
  isToldHere,
  windowIdOf,
} from "../../../../../renderer/session/view/own-window.ts";
import type { OwnWindows, SessionHost } from "../../../../../renderer/session/view/session-host.ts";
import { loneClient } from "../../../core/commands/lone-client.ts";

let client: ReturnType<typeof loneClient>;
let ran: string[];
let shown: (number | undefined)[];
let hasFocus: boolean;

/** Tile 1 is in a window of its own, tiles 2 and 3 are in the main one, and the workspace `other` is empty. */
beforeEach(async () => {
  client = loneClient();
  [ran, shown, hasFocus] = [[], [], true];
  for (let made = 0; made < 3; made++) await client.run("createShell");
  await client.run("createWorkspace", { name: "other", focus: false });
  await client.run("breakTile", { tile: 1, window: true });
});

const id = () => client.state.now.workspaces[2]?.window?.id ?? -1;

/** The session as a window sees it; `open` says whether the other one is there. */
function windowWith(own: number | undefined, open = true): SessionHost {
  const windows: OwnWindows = {
    own,
    open: () => true,
    close: () => undefined,
    isOpen: () => open,
    show: (window) => void shown.push(window),
  };
  return hostOfWindow(sessionWith(windows), { hasFocus: () => hasFocus });
}

function sessionWith(windows: OwnWindows): SessionHost {
  let snapshot = { state: client.state.now };
  return {
    windows,
    snapshot: () => {
      if (snapshot.state !== client.state.now) snapshot = { state: client.state.now };
      return snapshot;
    },
    execute(method: "focusTile", params: object, by?: "plugin") {
      ran.push(by === undefined ? method : `${method} by a ${by}`);
      return client.run(method, params);
    },
    setViewport: () => void ran.push("viewport"),
  } as unknown as SessionHost;
}

const active = (host: SessionHost) => host.snapshot().state.active;

test("each window shows its own workspace as the active one, and keeps its picture while nothing changes", async () => {
  const [main, own] = [windowWith(undefined), windowWith(id())];
  expect([active(main), active(own)]).toEqual([0, 2]);
  expect(main.snapshot()).toBe(main.snapshot());
  await client.run("switchWorkspace", { index: 1 });
  expect([active(main), active(own)]).toEqual([1, 2]);
  const pages = client.state.now.workspaces;
  expect(pages.map((page) => isDrawnHere(main, page))).toEqual([true, true, false]);
  expect(pages.map((page) => isDrawnHere(own, page))).toEqual([false, false, true]);
});

test("a workspace whose window is not there is shown in the main one", () => {
  const main = windowWith(undefined, false);
  expect(active(main)).toBe(2);
  expect(client.state.now.workspaces.every((page) => isDrawnHere(main, page))).toBe(true);
});

test("a window whose workspace is gone keeps its last picture", async () => {
  const own = windowWith(id());
  const before = own.snapshot();
  await client.run("moveBack", { tile: 1 });
  expect(own.snapshot()).toBe(before);
});

test("a user's command acts on the window that they are in, and brings the one to the front that it goes to", async () => {
  const [main, own] = [windowWith(undefined), windowWith(id())];
  await main.execute("splitShell", { direction: "vertical" });
  expect(ran).toEqual(["switchWorkspace", "splitShell"]);
  expect(client.state.now.workspaces[0].recent).toHaveLength(3);
  expect(shown).toEqual([]);
  await main.execute("focusTile", { key: 1 });
  expect(shown).toEqual([id()]);
  await own.execute("focusTile", { key: 2 });
  expect(shown).toEqual([id(), undefined]);
});

test("a plugin acts as itself, and moves neither the focus nor a window", async () => {
  const main = windowWith(undefined);
  await main.execute("focusTile", { key: 1 }, "plugin");
  expect([ran, shown]).toEqual([["focusTile by a plugin"], []]);
});

test("what a page does without its user leaves the focus where it is", async () => {
  hasFocus = false;
  const main = windowWith(undefined);
  await main.execute("getTiles", {});
  expect(ran).toEqual(["getTiles"]);
  expect([client.state.now.active, shown]).toEqual([2, []]);
});

test("only the main window tells how large new shells are", () => {
  const size = { cols: 80, rows: 24 };
  windowWith(id()).setViewport(size);
  expect(ran).toEqual([]);
  windowWith(undefined).setViewport(size);
  expect(ran).toEqual(["viewport"]);
});

test("a window that gets the focus makes its workspace the active one", async () => {
  const window = new EventTarget();
  const session = sessionWith({
    own: undefined,
    open: () => true,
    close: () => undefined,
    isOpen: () => true,
    show() {},
  });
  const stop = followFocus(window, session, windowWith(undefined));
  window.dispatchEvent(new Event("focus"));
  expect(ran).toEqual(["switchWorkspace"]);
  expect(client.state.now.active).toBe(0);
  window.dispatchEvent(new Event("focus"));
  await client.run("focusTile", { key: 1 });
  stop();
  window.dispatchEvent(new Event("focus"));
  expect(ran).toEqual(["switchWorkspace"]);
});

test.each([
  ["", undefined],
  ["?window=7", 7],
  ["?window=0", undefined],
  ["?window=seven", undefined],
])("the address with %j names window %s", (search, window) => {
  expect(windowIdOf({ search })).toBe(window);
});

test("a shell is told of by the window that shows it, else by the main one", async () => {
  const [main, own] = [windowWith(undefined), windowWith(id())];
  const toldBy = (shell: number) => [main, own].map((host) => isToldHere(host, shell as ShellId));
  expect(toldBy(1)).toEqual([false, true]);
  expect(toldBy(2)).toEqual([true, false]);
  await client.run("closeTile", { tile: 3 });
  expect(toldBy(3)).toEqual([true, false]);
});
