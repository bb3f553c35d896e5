import type { LayoutTree } from "../../core/protocol/records.ts";
import { escapeControls } from "./cell.ts";
import { bold, dim } from "./colour.ts";
import type { Style } from "./io.ts";

/** What is known of a tile beside its key. */
export interface TileLabel {
  readonly type: string;
  readonly id: number;
  readonly title?: string | undefined;
  /** Address, folder or plugin. */
  readonly detail?: string | undefined;
  readonly maximized?: boolean;
  readonly focused: boolean;
}

/** The layout drawn with box lines, one tile or split a line. */
export function drawTree(tree: LayoutTree, labels: ReadonlyMap<number, TileLabel>, style: Style): string {
  if (tree.kind === "leaf" && tree.tiles.length === 0) return "empty workspace\n";
  return `${node(tree, labels, style).join("\n")}\n`;
}

function node(tree: LayoutTree, labels: ReadonlyMap<number, TileLabel>, style: Style): string[] {
  if (tree.kind === "split") {
    const head = `${tree.direction} ${dim(String(Math.round(tree.ratio * 1000) / 1000), style)}`;
    return [head, ...branches([node(tree.first, labels, style), node(tree.second, labels, style)])];
  }
  const tiles = tree.tiles.map((key) => tile(key, labels.get(key), style));
  if (tiles.length === 1) return tiles;
  const front = tree.active ?? tree.tiles[0];
  return ["tabs", ...branches(tiles.map((text, index) => [tree.tiles[index] === front ? `${text} (in front)` : text]))];
}

function tile(key: number, label: TileLabel | undefined, style: Style): string {
  const name = bold(`[${key}]`, style);
  if (label === undefined) return name;
  const title = label.title === undefined || label.title === "" ? "" : ` ${escapeControls(label.title)}`;
  const detail = label.detail === undefined ? "" : ` ${dim(escapeControls(label.detail), style)}`;
  const state = `${label.maximized === true ? " (maximized)" : ""}${label.focused ? " *" : ""}`;
  // A remote chooses all of it; of a newer version it may have further types.
  return `${name} ${escapeControls(label.type)} ${label.id}${title}${detail}${state}`;
}

/** Hangs the parts below a line: all but the last with a line that goes on. */
function branches(parts: readonly (readonly string[])[]): string[] {
  return parts.flatMap((part, index) => {
    const last = index === parts.length - 1;
    return part.map((line, row) => (row === 0 ? (last ? "└─ " : "├─ ") : last ? "   " : "│  ") + line);
  });
}
