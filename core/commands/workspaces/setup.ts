import { z } from "zod";
import { buildGrid } from "../../layout/grid.ts";
import { type PlannedTab, planSetup } from "../../layout/plan-setup.ts";
import { RemoteError, unreachable } from "../../protocol/errors.ts";
import { ShellId, TileKey } from "../../protocol/ids.ts";
import { TileType } from "../../protocol/records.ts";
import { type ClientState, type TileContent, withWorkspace } from "../../state/client-state.ts";
import { command } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { sizeInCells } from "../place-tile.ts";
import { checkWorkspaceIndex } from "./workspace-name.ts";

export const setup = command({
  area: "workspaces",
  summary: "Set up a grid of tiles in the visible workspace",
  details:
    "Cells are filled row by row. `tiles` names them, separated by commas: `shell[:command]`, `shell@<folder>[:command]`, `tunnel:<port>`, `browser[:url]` (`browser:localhost:3000` too), `plugin:<id>`, `peek:<shell id>`; `+` joins tabs in one cell; cells that are not named are shells. `commands` go to the shell tiles in order. Commas inside quotes do not split. Bad input changes nothing.",
  params: z.object({
    grid: z
      .string()
      .min(1)
      .max(20)
      .describe("columns x rows, for example 3x2")
      .meta({ examples: ["3x2"] }),
    tiles: z.string().max(65_536).optional().describe("what the cells show"),
    commands: z.string().max(65_536).optional().describe("command lines for the shell tiles, separated by commas"),
    force: z.boolean().default(false).describe("replace the tiles that are there; their shells keep running"),
  }),
  result: z.object({
    key: TileKey,
    tiles: z.array(z.object({ key: TileKey, type: TileType, id: z.int() })),
    shellIds: z.array(ShellId),
  }),
  role: "writer",
  scope: "client",
  touches: "workspace",
  palette: [
    {
      title: "Set up a grid of tiles…",
      submit: "Set up",
      fields: {
        grid: { label: "Columns × rows", help: "For example 3x2" },
        tiles: {
          label: "What the tiles show",
          help: "shell, browser:URL, tunnel:PORT or plugin:ID, separated by commas",
        },
        commands: { label: "Command lines of the shells", help: "Separated by commas" },
        force: { label: "Replace the tiles that are there", help: "Their shells keep running" },
      },
    },
  ],
  sensitive: ["tiles", "commands"],
  cli: [
    {
      name: "setup",
      examples: ["setup --grid 2x2", "setup --grid 2x1 --tiles 'shell:htop+shell,tunnel:3000' --commands 'make,ls'"],
    },
  ],
  async run(context, { grid, tiles, commands, force }) {
    const { columns, rows, cells } = planSetup({ grid, tiles: tiles ?? "", commands: commands ?? "" });
    // The person may go to another one while the shells are opened.
    const index = context.state.now.active;
    const replaced = force ? tilesIn(context, index) : [];
    checkEmpty(context, index, replaced);
    for (const tab of cells.flat()) checkTab(context, tab);
    const shellIds = await openShells(context, cells.flat(), { columns, rows });
    try {
      // Another command may have filled or closed the workspace in the meantime, and others then have its index.
      checkEmpty(context, index, replaced);
    } catch (error) {
      await closeShells(context, shellIds);
      throw error;
    }
    const waiting = [...shellIds];
    let placed: TileContent[] = [];
    context.state.update((now) => {
      const groups = assignKeys(cells, now.nextKey, () => waiting.shift());
      placed = groups.flat();
      return withGrid(now, index, { columns, rows, groups });
    });
    context.hit.tile = placed[0]?.key;
    return {
      key: placed[0]?.key ?? (0 as TileKey),
      tiles: placed.map(({ key, type, id }) => ({ key, type, id })),
      shellIds,
    };
  },
});

/** Rejects a tab whose plugin or shell does not exist, before anything is changed. */
function checkTab(context: CommandContext, tab: PlannedTab): void {
  if (tab.type === "plugin") context.plugin(tab.plugin);
  if (tab.type === "peek") context.shell(ShellId.parse(tab.shell));
}

function tilesIn({ state }: CommandContext, index: number): readonly TileKey[] {
  return state.now.workspaces[index]?.recent ?? [];
}

/** @param replaced tiles that may be there: those of the time when force was used */
function checkEmpty(context: CommandContext, index: number, replaced: readonly TileKey[]): void {
  checkWorkspaceIndex(context.state.now, index);
  const count = tilesIn(context, index).filter((key) => !replaced.includes(key)).length;
  if (count === 0) return;
  throw new RemoteError(
    "workspace_not_empty",
    replaced.length === 0
      ? `Workspace ${index} has ${count} tiles: create a workspace first, or use force (\`--force\`).`
      : `Workspace ${index} has ${count} tiles that came in the meantime: try again.`,
  );
}

/** Opens the shells of all cells in order. If one fails, closes the ones already opened and rethrows. */
async function openShells(
  context: CommandContext,
  tabs: readonly PlannedTab[],
  { columns, rows }: { columns: number; rows: number },
): Promise<ShellId[]> {
  const { host } = context;
  const size = sizeInCells(host.viewport(), { w: 1 / columns, h: 1 / rows });
  const opened: ShellId[] = [];
  try {
    for (const tab of tabs) {
      if (tab.type !== "shell") continue;
      const line = tab.commands.length === 0 ? undefined : tab.commands.join("\n");
      opened.push((await context.ask("createShell", { ...size, command: line, cwd: tab.cwd })).shell.id);
    }
  } catch (error) {
    await closeShells(context, opened);
    throw error;
  }
  return opened;
}

async function closeShells(context: CommandContext, shells: readonly ShellId[]): Promise<void> {
  await Promise.allSettled(shells.map((shell) => context.ask("closeShell", { shell })));
}

/** Assigns a key and content to every tab of every cell. */
function assignKeys(
  cells: readonly (readonly PlannedTab[])[],
  firstKey: number,
  nextShell: () => ShellId | undefined,
): TileContent[][] {
  let next = firstKey;
  return cells.map((cell) =>
    cell.map((tab): TileContent => {
      const key = next++ as TileKey;
      switch (tab.type) {
        case "shell":
          return { key, type: "shell", id: nextShell() ?? key };
        case "tunnel":
          return { key, type: "tunnel", id: tab.port };
        case "plugin":
          return { key, type: "plugin", id: key, plugin: tab.plugin };
        case "peek":
          return { key, type: "peek", id: tab.shell };
        case "browser":
          return { key, type: "browser", id: key, ...(tab.url === undefined ? {} : { url: tab.url }) };
        default:
          return unreachable(tab);
      }
    }),
  );
}

function withGrid(
  now: ClientState,
  index: number,
  { columns, rows, groups }: { columns: number; rows: number; groups: readonly TileContent[][] },
): ClientState {
  const old = new Set<number>(now.workspaces[index]?.recent);
  const kept = Object.entries(now.tiles).filter(([key]) => !old.has(Number(key)));
  const tiles = groups.flat();
  const root = buildGrid(
    columns,
    rows,
    groups.map((group) => group.map((tile) => tile.key)),
  );
  const grown: ClientState = {
    ...now,
    tiles: { ...Object.fromEntries(kept), ...Object.fromEntries(tiles.map((tile) => [tile.key, tile])) },
    nextKey: now.nextKey + tiles.length,
  };
  return withWorkspace(grown, index, (workspace) => ({
    ...workspace,
    root,
    maximized: null,
    recent: tiles.map((tile) => tile.key),
  }));
}
