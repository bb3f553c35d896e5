import { expect, test } from "vitest";
import { addFirstTile } from "../../../../../core/layout/open-tile.ts";
import { emptyWorkspace } from "../../../../../core/layout/workspace.ts";
import { TileKey } from "../../../../../core/protocol/ids.ts";
import { freshState, type TileContent } from "../../../../../core/state/client-state.ts";
import type { WindowSession } from "../../../../../main/desktop/sessions/desktop-client.ts";
import { titleOf } from "../../../../../main/desktop/windows/window-title.ts";
import { shellRecord } from "../../relay/small-session.ts";

const OWN = 5;
const KEY = TileKey.parse(1);
const titled = (name: string) => titleOf({ name: () => name } as WindowSession, undefined);

/** Returns the title of a window of its own with one tile; the session has the shell 3, whose title is given. */
function titledTile(tile: Omit<TileContent, "key">): string {
  const workspace = { ...addFirstTile(emptyWorkspace("2"), KEY), window: { id: OWN } };
  const now = { ...freshState, workspaces: [emptyWorkspace("1"), workspace], tiles: { [KEY]: { key: KEY, ...tile } } };
  const mirror = { shells: [shellRecord(3, { title: "build", titleFixed: true })], agents: [] };
  return titleOf({ name: () => "work", client: { state: { now }, mirror } } as unknown as WindowSession, OWN);
}

test("a title has the session's name as it is written, on one line, and cut", () => {
  expect(titled("work")).toBe("work - Patchbay");
  expect(titled("\u202egnp.exe\u200b\u2028")).toBe("gnp.exe - Patchbay");
  expect(titled("W".repeat(190))).toBe(`${"W".repeat(79)}… - Patchbay`);
});

test.each<[string, Omit<TileContent, "key">, string]>([
  ["a shell", { type: "shell", id: 3 }, "build"],
  ["a shell with a label", { type: "shell", id: 3, label: "mine" }, "mine"],
  ["a page", { type: "browser", id: 1, url: "https://example.com/" }, "https://example.com/"],
  ["the history of a shell", { type: "history", id: 3, offset: 500 }, "History of build"],
  ["the history of a closed shell", { type: "history", id: 77, offset: 500 }, "History of Shell 77"],
  ["a history with a label", { type: "history", id: 3, label: "the failure" }, "the failure"],
])("the title of a window with %s names it as its header does", (_what, tile, name) => {
  expect(titledTile(tile)).toBe(`${name} - work - Patchbay`);
});
