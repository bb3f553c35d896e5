import "./layout-choices.css";
import { boxesOf } from "../../../core/layout/geometry.ts";
import { type LayoutShape, resetLayout } from "../../../core/layout/grid.ts";
import type { Leaf, Workspace } from "../../../core/layout/layout.ts";
import type { TileKey } from "../../../core/protocol/ids.ts";
import { useView } from "../view/view.ts";
import { words } from "../words/index.ts";

const shapes = ["grid", "columns", "rows", "main-left", "main-top"] as const satisfies readonly LayoutShape[];

/** Grids of shells for an empty workspace; a single shell has a button of its own. */
const grids = [
  { grid: "2x1", label: () => words.layouts.startSideBySide },
  { grid: "1x2", label: () => words.layouts.startStacked },
  { grid: "2x2", label: () => words.layouts.start(4) },
  { grid: "3x2", label: () => words.layouts.start(6) },
] as const;

/** Pictures, with captions, of the shapes that the tiles of a workspace can be laid out in. */
export function TileArrangements({ chosen }: { chosen: () => void }) {
  const view = useView();
  return (
    <div className="layout-choices">
      {shapes.map((shape) => (
        <button
          key={shape}
          type="button"
          className="layout-picture"
          onClick={() => {
            chosen();
            void view.run("resetLayout", { shape });
          }}
        >
          <Picture boxes={boxesOf(resetLayout(sample(shape === "grid" ? 4 : 3), shape).root)} />
          {words.layouts[shape]}
        </button>
      ))}
    </div>
  );
}

/** Pictures, with captions, of grids of shells that an empty workspace can start with. */
export function StartingLayouts() {
  const view = useView();
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons, no form
    <div className="layout-choices" role="group" aria-label={words.layouts.startTitle}>
      {grids.map(({ grid, label }) => (
        <button key={grid} type="button" className="layout-picture" onClick={() => void view.run("setup", { grid })}>
          <Picture boxes={gridBoxes(grid)} />
          {label()}
        </button>
      ))}
    </div>
  );
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const PICTURE = { width: 36, height: 24, gap: 2 } as const;

function Picture({ boxes }: { boxes: readonly Box[] }) {
  const { width, height, gap } = PICTURE;
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {boxes.map(({ left, top, right, bottom }) => (
        <rect
          key={`${left} ${top}`}
          x={left * width + gap / 2}
          y={top * height + gap / 2}
          width={(right - left) * width - gap}
          height={(bottom - top) * height - gap}
          rx={1.5}
        />
      ))}
    </svg>
  );
}

/** A workspace of so many tiles, to be drawn. */
function sample(count: number): Workspace {
  const keys = Array.from({ length: count }, (_, index) => (index + 1) as TileKey);
  const leaves = keys.map((key): Leaf => ({ kind: "leaf", tiles: [key], front: key }));
  const [first, ...others] = leaves;
  const root = others.reduce<Workspace["root"]>(
    (before, leaf) =>
      before === null ? leaf : { kind: "split", direction: "horizontal", ratio: 0.5, first: before, second: leaf },
    first ?? null,
  );
  return { name: "", root, maximized: null, recent: keys };
}

function gridBoxes(grid: string): readonly Box[] {
  const [columns = 1, rows = 1] = grid.split("x").map(Number);
  return Array.from({ length: columns * rows }, (_, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    return { left: column / columns, top: row / rows, right: (column + 1) / columns, bottom: (row + 1) / rows };
  });
}
