import { expect, test } from "vitest";
import { ShellId } from "../../../../../core/protocol/ids.ts";
import { openHistory } from "../../../../../renderer/session/actions/open-history.ts";
import type { View } from "../../../../../renderer/session/view/view.ts";
import { loneClient } from "../../../core/commands/lone-client.ts";

test("a walk through places of one shell leaves one tile, where the first one was; another shell has another", async () => {
  const client = loneClient();
  const view = {
    host: { snapshot: () => ({ state: client.state.now }) },
    run: (method: Parameters<typeof client.run>[0], params: object) => client.run(method, params),
  } as unknown as View;
  const open = (shell: number, offset?: number) => openHistory(view, { shell: ShellId.parse(shell), offset });
  await client.run("createShell");
  expect(await open(7, 100)).toBe(true);
  await client.run("renameTile", { key: 2, name: "errors" });
  await client.run("maximize", { tile: 2 });
  expect(await open(7, 200)).toBe(true);
  expect(client.state.now.workspaces[0].maximized).toBe(2);
  expect(await open(8)).toBe(true);
  const tiles = Object.values(client.state.now.tiles).filter(({ type }) => type === "history");
  expect(tiles).toMatchObject([{ key: 2, id: 7, offset: 200, label: "errors" }, { id: 8 }]);
});
