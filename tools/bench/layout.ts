import { performance } from "node:perf_hooks";
import { closeTile } from "../../core/layout/close-tile.ts";
import { cycleTab, focusTile, selectTab, toggleMaximize } from "../../core/layout/focus.ts";
import { boxesBySize, longerSide, rectanglesOf } from "../../core/layout/geometry.ts";
import { resetLayout } from "../../core/layout/grid.ts";
import type { Workspace } from "../../core/layout/layout.ts";
import { moveTile, swapTiles } from "../../core/layout/move-tile.ts";
import { neighbour } from "../../core/layout/neighbours.ts";
import { addFirstTile, addTab, splitTile } from "../../core/layout/open-tile.ts";
import { setRatio, toggleDirection } from "../../core/layout/splits.ts";
import { toLayoutTree } from "../../core/layout/tree.ts";
import { emptyWorkspace, tilesOf } from "../../core/layout/workspace.ts";
import { WorkspaceSchema } from "../../core/layout/workspace-schema.ts";
import { TileKey } from "../../core/protocol/ids.ts";
import type { BenchRow } from "./bench-row.ts";

const sizes = [10, 100, 1000];
const rounds = 200;
const goalMs = 1;

/** The tiles of one round: three different tiles of the workspace, and a key that is not in it. */
interface TilePicks {
  readonly tile: TileKey;
  readonly other: TileKey;
  readonly fresh: TileKey;
}

/** All layout commands of the engine. */
const commands: Readonly<Record<string, (now: Workspace, picks: TilePicks) => unknown>> = {
  split: (now, { tile, fresh }) => splitTile(now, tile, fresh, "horizontal"),
  "split the largest": (now, { fresh }) => {
    const largest = largestTile(now);
    return largest && splitTile(now, largest.key, fresh, largest.direction);
  },
  "add tab": (now, { tile, fresh }) => addTab(now, tile, fresh, { focus: false }),
  close: (now, { tile }) => closeTile(now, tile),
  "close focused": (now, { tile }) => closeTile(now, now.recent[0] ?? tile),
  focus: (now, { tile }) => focusTile(now, tile),
  "focus direction": (now, { tile, other }) => focusTile(now, neighbour(now, tile, "right") ?? other),
  "select tab": (now, { tile }) => selectTab(now, tile, 0),
  "next tab": (now, { tile }) => cycleTab(now, tile, 1),
  "set ratio": (now, { tile }) => setRatio(now, tile, 0.3),
  "toggle direction": (now, { tile }) => toggleDirection(now, tile),
  swap: (now, { tile, other }) => swapTiles(now, tile, other),
  move: (now, { tile, other }) => moveTile(now, tile, other, "left"),
  "move as tab": (now, { tile, other }) => moveTile(now, tile, other, "tab"),
  maximize: (now, { tile }) => toggleMaximize(now, tile),
  reset: (now) => resetLayout(now),
  geometry: (now) => rectanglesOf(now),
  "list tiles": (now) => tilesOf(now),
  tree: (now) => toLayoutTree(now.root),
};

/** No commands but reads at the start, so without a goal. */
const others: typeof commands = { "read from disk": (now) => WorkspaceSchema.parse(now) };

/**
 * Median time of each command at 10, 100 and 1,000 tiles (goal: under 1 ms), and at 1,000 its ratio to a
 * `structuredClone` of the same workspace in the same run. Two shapes: `grid` as largest-tile splits make it, and
 * `chain`, the deepest possible tree.
 */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const size of sizes) {
    for (const [shape, workspace] of [
      ["grid", grid(size)],
      ["chain", chain(size)],
    ] as const) {
      const clone = medianMs(workspace, (now) => structuredClone(now));
      rows.push({ name: `${shape} ${size}: baseline structuredClone`, value: rounded(clone), unit: "ms" });
      for (const [name, command] of Object.entries({ ...commands, ...others })) {
        const ms = medianMs(workspace, command);
        const goal = name in commands ? { goal: `under ${goalMs} ms`, ok: ms < goalMs } : {};
        rows.push({ name: `${shape} ${size}: ${name}`, value: rounded(ms), unit: "ms", ...goal });
        if (size === Math.max(...sizes)) {
          rows.push({ name: `${shape} ${size}: ${name}, of the baseline`, value: rounded(ms / clone), unit: "x" });
        }
      }
    }
  }
  return rows;
}

/** Measures after a warm-up; each round uses other tiles, spread over the workspace. */
function medianMs(workspace: Workspace, command: (now: Workspace, picks: TilePicks) => unknown): number {
  const count = workspace.recent.length;
  const at = (index: number) => TileKey.parse((index % count) + 1);
  const times: number[] = [];
  for (let round = -rounds; round < rounds; round += 1) {
    const index = (round + rounds) * 37;
    const picks = { tile: at(index), other: at(index + (count >> 1)), fresh: TileKey.parse(count + 1) };
    const start = performance.now();
    command(workspace, picks);
    if (round >= 0) times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[rounds >> 1] ?? Number.NaN;
}

/** The front tile of the largest group, and the direction that splits its longer side. */
function largestTile({ root }: Workspace) {
  const [largest] = boxesBySize(root);
  return largest === undefined ? null : { key: largest.group.front, direction: longerSide(largest, 16 / 9) };
}

/** Makes every fifth tile a tab of the tile before it. */
function grid(size: number): Workspace {
  return buildWorkspace(size, (now, key) => {
    const target = largestTile(now);
    if (target === null) return addFirstTile(now, key);
    return key % 5 === 0 ? addTab(now, target.key, key) : splitTile(now, target.key, key, target.direction);
  });
}

function chain(size: number): Workspace {
  return buildWorkspace(size, (now, key) => {
    const [last] = now.recent;
    return last === undefined ? addFirstTile(now, key) : splitTile(now, last, key, "horizontal");
  });
}

function buildWorkspace(size: number, add: (now: Workspace, key: TileKey) => Workspace): Workspace {
  let workspace = emptyWorkspace("bench");
  for (let key = 1; key <= size; key += 1) workspace = add(workspace, TileKey.parse(key));
  return workspace;
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
