import { RemoteError } from "../protocol/errors.ts";
import { maxTiles } from "./layout.ts";
import { type Grid, parseCells, parseCommands, parseGrid, type TabSpec } from "./setup-grammar.ts";

/** A tab to open. A shell runs its own command first, then the one from `--commands`. */
export type PlannedTab =
  | { readonly type: "shell"; readonly commands: readonly string[]; readonly cwd?: string }
  | Exclude<TabSpec, { type: "shell" }>;

/** The layout that `setup` builds: exactly columns x rows cells, row by row, each with at least one tab. */
interface SetupPlan extends Grid {
  readonly cells: readonly (readonly PlannedTab[])[];
}

/** Parses and validates all parameters of `setup`, before anything is changed. */
export function planSetup(params: {
  grid: string;
  tiles?: string | undefined;
  commands?: string | undefined;
}): SetupPlan {
  const grid = parseGrid(params.grid);
  const cells = fillCells(parseCells(params.tiles ?? ""), grid);
  return { ...grid, cells: withCommands(cells, parseCommands(params.commands ?? "")) };
}

function fillCells(named: readonly (readonly TabSpec[])[], { columns, rows }: Grid): readonly (readonly TabSpec[])[] {
  const size = columns * rows;
  if (named.length > size) {
    throw new RemoteError(
      "invalid_params",
      `params.tiles: expected at most ${size} cells for a grid of ${columns}x${rows}, got ${named.length}.`,
    );
  }
  const cells = [...named, ...Array.from({ length: size - named.length }, (): TabSpec[] => [{ type: "shell" }])];
  const tabs = cells.reduce((sum, cell) => sum + cell.length, 0);
  if (tabs <= maxTiles) return cells;
  throw new RemoteError("limit_reached", `params.tiles: a workspace holds at most ${maxTiles} tiles, got ${tabs}.`);
}

function withCommands(
  cells: readonly (readonly TabSpec[])[],
  commands: readonly string[],
): readonly (readonly PlannedTab[])[] {
  let shells = 0;
  const planned = cells.map((cell) =>
    cell.map((tab): PlannedTab => {
      if (tab.type !== "shell") return tab;
      const given = [tab.command ?? "", commands[shells] ?? ""];
      shells += 1;
      const own = given.filter((command) => command !== "");
      return { type: "shell", commands: own, ...(tab.cwd === undefined ? {} : { cwd: tab.cwd }) };
    }),
  );
  if (commands.length <= shells) return planned;
  throw new RemoteError(
    "invalid_params",
    `params.commands: expected at most ${shells} commands, one for each shell tile, got ${commands.length}.`,
  );
}
