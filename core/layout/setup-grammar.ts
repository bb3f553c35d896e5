import { RemoteError } from "../protocol/errors.ts";
import { isQuoted, shown, splitOutsideQuotes, unquoted } from "./quoted.ts";

/** One tab as `--tiles` names it (interface.md §4, Workspaces). */
export type TabSpec =
  | { readonly type: "shell"; readonly command?: string }
  | { readonly type: "tunnel"; readonly port: number }
  | { readonly type: "browser"; readonly url?: string };

export interface Grid {
  readonly columns: number;
  readonly rows: number;
}

/** Columns, and rows, that `setup` makes at most: more would leave cells too small to read. */
export const maxGridSide = 16;

const comma = /,/y;
// A plus joins tabs only before a tile type, so that `browser:http://x/?q=a+b` keeps its own.
const joiningPlus = /\+\s*["']?(?:shell|tunnel|browser)\s*(?=[:+"']|$)/y;

/** Reads `3x2` as 3 columns and 2 rows; RemoteError `invalid_params` says what would be right. */
export function parseGrid(text: string): Grid {
  const [, columns, rows] = /^\s*(\d{1,4})\s*x\s*(\d{1,4})\s*$/i.exec(text) ?? [];
  const grid = { columns: Number(columns), rows: Number(rows) };
  if (fits(grid.columns) && fits(grid.rows)) return grid;
  throw new RemoteError(
    "invalid_params",
    `params.grid: expected columns x rows such as 3x2, each from 1 to ${maxGridSide}, got ${shown(text)}.`,
  );
}

/**
 * Reads a list of cells, each a list of tabs: `shell:htop+shell,tunnel:3000`. Every comma outside quotes ends a cell; a
 * plus joins tabs only where a tile type follows. Quotes around a whole tab or around its value are removed, others
 * belong to the command. An empty place is a plain shell; blank text names no cell.
 */
export function parseCells(text: string): readonly (readonly TabSpec[])[] {
  if (text.trim() === "") return [];
  return splitOutsideQuotes(text, comma, "params.tiles").map((cell, index) =>
    cell.trim() === ""
      ? [{ type: "shell" }]
      : splitOutsideQuotes(cell, joiningPlus, "params.tiles").map((tab) => parseTab(tab, index + 1)),
  );
}

/** Reads a list of commands: `echo a,'echo b, c'`. An empty place gives its shell no command; blank text has none. */
export function parseCommands(text: string): readonly string[] {
  if (text.trim() === "") return [];
  return splitOutsideQuotes(text, comma, "params.commands").map(unquoted);
}

function parseTab(text: string, cell: number): TabSpec {
  const spec = unquoted(text);
  const [, type, rest = ""] = /^(shell|tunnel|browser)\s*(?::(.*))?$/s.exec(spec) ?? [];
  const value = isQuoted(text.trim()) ? rest.trim() : unquoted(rest);
  switch (type) {
    case "shell":
      return value === "" ? { type } : { type, command: value };
    case "tunnel":
      return { type, port: portOf(value, cell) };
    case "browser":
      return value === "" ? { type } : { type, url: webAddress(value, cell) };
    default:
      return refuse(
        cell,
        "shell[:command], tunnel:<port> or browser[:url], with quotes around what holds a comma",
        spec,
      );
  }
}

function portOf(text: string, cell: number): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : refuse(cell, "tunnel:<port> with a port from 1 to 65535", text);
}

/** Only web pages: a `javascript:` or `file:` address has no place in a tile. */
function webAddress(text: string, cell: number): string {
  return /^https?:\/\/[^\s/]\S*$/i.test(text)
    ? text
    : refuse(cell, "browser:<url> with an http or https address", text);
}

function refuse(cell: number, expected: string, got: string): never {
  throw new RemoteError("invalid_params", `params.tiles: cell ${cell}: expected ${expected}, got ${shown(got)}.`);
}

function fits(side: number): boolean {
  return side >= 1 && side <= maxGridSide;
}
