import { expect, test } from "vitest";
import type { TileContent } from "../../../../../core/state/client-state.ts";
import { closeReopenably, reopenLast } from "../../../../../renderer/session/actions/reopen.ts";
import type { SessionSnapshot } from "../../../../../renderer/session/view/session-host.ts";
import type { ClosedTile } from "../../../../../renderer/session/view/ui-state.ts";
import type { View } from "../../../../../renderer/session/view/view.ts";
import { createStore } from "../../../../../renderer/ui/store.ts";
import { loneClient } from "../../../core/commands/lone-client.ts";

/** A view of a real client's state, with three shells: 1 left, 2 above 3 on the right. */
async function threeTiles() {
  const client = loneClient();
  await client.run("createShell");
  await client.run("splitShell", { direction: "horizontal", tile: 1 });
  await client.run("splitShell", { direction: "vertical", tile: 2 });
  await client.run("setRatio", { tile: 2, ratio: 0.3 });
  const told: string[] = [];
  const view = {
    host: { snapshot: () => ({ state: client.state.now, mirror: client.mirror }) as unknown as SessionSnapshot },
    ui: {
      toasts: { show: (_kind: string, message: string) => told.push(message), dismissAbout: () => undefined },
      closedTiles: createStore<readonly ClosedTile[]>([]),
    },
    run: (method: Parameters<typeof client.run>[0], params: object) => client.run(method, params),
  } as unknown as View;
  const close = async (key: number) => {
    const tile = client.state.now.tiles[key] as TileContent;
    await closeReopenably(view, tile, "closed");
  };
  const tree = () => client.run("getLayoutTree");
  return { client, view, told, close, tree };
}

const leaf = (...tiles: number[]) => expect.objectContaining({ kind: "leaf", tiles });

test.each([
  [1, { direction: "horizontal", first: leaf(4), second: { direction: "vertical", first: leaf(2), second: leaf(3) } }],
  [
    2,
    {
      direction: "horizontal",
      first: leaf(1),
      second: { direction: "vertical", ratio: 0.3, first: leaf(4), second: leaf(3) },
    },
  ],
  [
    3,
    {
      direction: "horizontal",
      first: leaf(1),
      second: { direction: "vertical", ratio: 0.3, first: leaf(2), second: leaf(4) },
    },
  ],
])(
  "tile %i comes back beside its neighbour, on its side, with its size, its name and its shell",
  async (key, expected) => {
    const { client, view, close, tree } = await threeTiles();
    await client.run("renameTile", { key, name: "mine" });
    await close(key);
    await reopenLast(view);
    if (key !== 1) expect(await tree()).toMatchObject(expected);
    expect(client.state.now.tiles[4]).toEqual({ key: 4, type: "shell", id: key, label: "mine" });
  },
);

test("a tile of the history comes back at its place, also that of a closed shell", async () => {
  const { client, view, close } = await threeTiles();
  await client.run("openTile", { type: "history", shell: 77, offset: 10, length: 2 });
  await close(4);
  await reopenLast(view);
  expect(client.state.now.tiles[5]).toEqual({ key: 5, type: "history", id: 77, offset: 10, length: 2 });
});

test("a tab comes back into its group", async () => {
  const { client, view, close, tree } = await threeTiles();
  await client.run("moveTile", { key: 3, target: 2, place: "tab" });
  await close(3);
  await reopenLast(view);
  expect(await tree()).toMatchObject({ first: leaf(1), second: leaf(2, 4) });
});

test("the last closed tile comes first, each once, and those whose shell has ended not at all", async () => {
  const { client, view, told, close } = await threeTiles();
  for (const key of [1, 2, 3]) await close(key);
  client.mirror.shells.splice(2, 1);
  await reopenLast(view);
  await reopenLast(view);
  expect(Object.values(client.state.now.tiles).map(({ id }) => id)).toEqual([2, 1]);
  expect(told).toEqual(["closed", "closed", "closed"]);
  await reopenLast(view);
  expect(told.at(-1)).toBe("There is no closed tile to reopen.");
});
