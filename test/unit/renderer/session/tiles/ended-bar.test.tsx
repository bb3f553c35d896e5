// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ClientId, TileKey } from "../../../../../core/protocol/ids.ts";
import type { Role } from "../../../../../core/protocol/records.ts";
import { freshState } from "../../../../../core/state/client-state.ts";
import { sceneNamed } from "../../../../../renderer/session/dev/scenes.ts";
import { EndedBar } from "../../../../../renderer/session/tiles/ended-bar.tsx";
import { words } from "../../../../../renderer/session/words/index.ts";
import { renderView } from "../../../../support/render-view.tsx";

const ME = ClientId.parse(1);
const ADA = ClientId.parse(2);
const { again, newShell, close } = words.tiles.ended;

test.each<readonly [string, Role, ClientId | null, readonly string[]]>([
  ["a shell of the user's own runs again", "writer", ME, [again, newShell, close]],
  ["the shell of another does not", "writer", ADA, [newShell, close]],
  ["nor does one that nobody owns", "writer", null, [newShell, close]],
  ["for an admin every shell runs again", "admin", ADA, [again, newShell, close]],
  ["for those who can watch none does", "reader", ME, []],
])("%s", (_, role, ownerClientId, expected) => {
  const { mirror, self } = sceneNamed("six");
  const snapshot = { state: freshState, mirror, self: { ...self, role }, connected: true };
  const [shell = expect.unreachable("the scene has shells")] = mirror.shells;
  const ended = { ...shell, running: false, exitCode: 0, ownerClientId };
  renderView(<EndedBar tile={TileKey.parse(1)} shell={ended} />, { host: { snapshot: () => snapshot } });
  expect(screen.queryAllByRole("button").map(({ textContent }) => textContent)).toEqual(expected);
});
