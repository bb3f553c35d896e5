import { expect, test, vi } from "vitest";
import { closeTile } from "../../../../core/layout/close-tile.ts";
import { addFirstTile, addTab, splitTile } from "../../../../core/layout/open-tile.ts";
import { emptyWorkspace } from "../../../../core/layout/workspace.ts";
import type { TileKey } from "../../../../core/protocol/ids.ts";
import {
  type ClientState,
  focusOf,
  freshState,
  restoreState,
  withFocus,
  withoutTiles,
  withWorkspace,
  workspaceOf,
} from "../../../../core/state/client-state.ts";
import { ClientStore } from "../../../../core/state/client-store.ts";

const key = (value: number) => value as TileKey;
const tile = (value: number) => ({ key: key(value), type: "shell" as const, id: value });

const page = splitTile(addFirstTile(emptyWorkspace("1"), key(1)), key(1), key(2), "horizontal", { focus: true });
const other = addFirstTile(emptyWorkspace("2"), key(3));
const state: ClientState = {
  workspaces: [page, other],
  active: 0,
  tiles: { 1: tile(1), 2: { ...tile(2), label: "build" }, 3: tile(3) },
  nextKey: 4,
};

test("a saved state is restored unchanged", () => {
  expect(restoreState(JSON.parse(JSON.stringify(state)))).toEqual(state);
  expect(restoreState(JSON.parse(JSON.stringify(freshState)))).toEqual(freshState);
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a text", "state"],
  ["no workspace", { ...state, workspaces: [] }],
  ["an active workspace that is not there", { ...state, active: 2 }],
  ["a tile that nobody knows", { ...state, tiles: { 1: tile(1), 2: tile(2) } }],
  ["a tile that is nowhere", { ...state, tiles: { ...state.tiles, 4: tile(4) }, nextKey: 5 }],
  ["a tile in two places", { ...state, workspaces: [page, page] }],
  ["a tile under another key", { ...state, tiles: { 1: tile(2), 2: tile(1), 3: tile(3) } }],
  ["a key that would be given again", { ...state, nextKey: 3 }],
  ["a focus that is not there", { ...state, workspaces: [{ ...page, recent: [7, 1, 2] }, other] }],
  ["a ratio out of range", JSON.parse(JSON.stringify(state).replace('"ratio":0.5', '"ratio":5'))],
  ["a tile of a known type without its id", { ...state, tiles: { ...state.tiles, 1: { key: 1, type: "shell" } } }],
  ["a tile of an unknown type without a key", { ...state, tiles: { ...state.tiles, 1: { type: "hologram" } } }],
])("%s is not restored", (_what, saved) => {
  expect(restoreState(saved)).toBeUndefined();
});

/** The state with tiles of a type that a later version has added. */
function later(base: ClientState, ...keys: number[]): unknown {
  const unknown = keys.map((one) => [one, { ...tile(one), type: "hologram", depth: 3 }]);
  return { ...base, tiles: { ...base.tiles, ...Object.fromEntries(unknown) } };
}

test("a tile of an unknown type is closed alone, and told", () => {
  const told = vi.fn();
  const restored = restoreState(JSON.parse(JSON.stringify(later(state, 2))), told);
  expect(restored).toEqual(withoutTiles(state, [key(2)]));
  expect(restored?.workspaces[0].root).toEqual({ kind: "leaf", tiles: [1], front: 1 });
  expect(told.mock.calls).toEqual([[["hologram"]]]);
  expect(restoreState(restored, told)).toEqual(restored);
  expect(told).toHaveBeenCalledTimes(1);
});

test("with all of its tiles unknown a workspace is empty; one in a window of its own goes", () => {
  expect(restoreState(later(state, 1, 2, 3))).toEqual(withoutTiles(state, [key(1), key(2), key(3)]));
  const own = { ...state, workspaces: [page, { ...other, window: { id: 1 } }], active: 1, main: 0 } as const;
  const restored = restoreState(later(own, 3));
  expect(restored).toMatchObject({ workspaces: [page], active: 0 });
  expect(restoreState(restored)).toEqual(restored);
});

test("tiles are removed from any workspace", () => {
  const next = withoutTiles(state, [key(2), key(3)]);
  expect(Object.keys(next.tiles)).toEqual(["1"]);
  expect([focusOf(next), workspaceOf(next, key(2)), next.workspaces[1]?.root]).toEqual([1, -1, null]);
  expect(restoreState(next)).toEqual(next);
});

test("a change that changes nothing is the same value", () => {
  expect(withWorkspace(state, 0, (now) => now)).toBe(state);
  expect(withWorkspace(state, 9, () => emptyWorkspace("x"))).toBe(state);
});

test("the store notifies only of changes, and not of a change that throws", () => {
  const store = new ClientStore(state);
  const seen: [ClientState, ClientState][] = [];
  const stop = store.subscribe((now, before) => seen.push([now, before]));
  store.update((now) => now);
  expect(() =>
    store.update(() => {
      throw new Error("no");
    }),
  ).toThrow("no");
  expect([seen, store.now]).toEqual([[], state]);
  store.update((now) => ({ ...now, active: 1 }));
  expect(seen).toEqual([[{ ...state, active: 1 }, state]]);
  stop();
  store.update(() => state);
  expect(seen).toHaveLength(1);
});

test("a caller that may not move the keyboard changes neither what has it nor what has it next", () => {
  const store = new ClientStore({
    ...state,
    workspaces: [splitTile(page, key(2), key(4), "vertical", { focus: true }), other],
  });
  const kept = store.keepingFocus();
  const order = () => store.now.workspaces.map(({ recent }) => recent);
  kept.update((now) => withFocus(now, key(1)));
  kept.update((now) => withFocus(now, key(3)));
  kept.update((now) =>
    withWorkspace(now, 0, (workspace) => splitTile(workspace, key(1), key(5), "vertical", { focus: true })),
  );
  expect([store.now.active, order()]).toEqual([0, [[4, 2, 1, 5], [3]]]);
  store.update((now) => withWorkspace(now, 0, (workspace) => closeTile(workspace, key(4))));
  expect(focusOf(store.now)).toBe(2);
});

test("a tab that such a caller brings to the front gives way in the workspace that is not shown too", () => {
  const tabs = addTab(other, key(3), key(4), { focus: false });
  const store = new ClientStore({ ...state, workspaces: [page, tabs] });
  store.keepingFocus().update((now) => withFocus(now, key(4)));
  expect(store.now.workspaces[1]).toEqual(tabs);
});

test("a change by such a caller that changes nothing is none", () => {
  const store = new ClientStore(state);
  store.subscribe(() => expect.unreachable("nothing has changed"));
  store.keepingFocus().update((now) => now);
  expect(store.now).toBe(state);
});
