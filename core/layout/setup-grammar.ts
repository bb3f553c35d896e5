import { RemoteError } from "../protocol/errors.ts";
import { withScheme } from "../protocol/web-address.ts";
import { isQuoted, quoteForMessage, splitOutsideQuotes, unquoted } from "./quoting.ts";

/** One tab of a cell of `--tiles` (docs/specification.md §4.3). */
export type TabSpec =
  | { readonly type: "shell"; readonly command?: string; readonly cwd?: string }
  | { readonly type: "tunnel"; readonly port: number }
  | { readonly type: "browser"; readonly url?: string }
  | { readonly type: "plugin"; readonly plugin: string }
  | { readonly type: "peek"; readonly shell: number };

export interface Grid {
  readonly columns: number;
  readonly rows: number;
}

/** Maximum number of columns and of rows in `setup`: more would make cells too small to read. */
const maxGridSide = 16;

const comma = /,/y;
// A plus joins tabs only before a tile type, so that `browser:http://x/?q=a+b` stays intact.
const joiningPlus = /\+\s*["']?(?:shell|tunnel|browser|plugin|peek)\s*(?=[:@+"']|$)/y;

/** Type, folder and value of a tab. */
const TAB = /^(shell|tunnel|browser|plugin|peek)\s*(?:@((?:"[^"]*"|'[^']*'|[^:"'])*))?(?::(.*))?$/s;

/**
 * Parses `3x2` as 3 columns and 2 rows.
 * @throws RemoteError `invalid_params`
 */
export function parseGrid(text: string): Grid {
  const [, columns, rows] = /^\s*(\d{1,4})\s*x\s*(\d{1,4})\s*$/i.exec(text) ?? [];
  const grid = { columns: Number(columns), rows: Number(rows) };
  if (fits(grid.columns) && fits(grid.rows)) return grid;
  throw new RemoteError(
    "invalid_params",
    `params.grid: expected columns x rows such as 3x2, each from 1 to ${maxGridSide}, got ${quoteForMessage(text)}.`,
  );
}

/**
 * Parses a list of cells, each a list of tabs: `shell:htop+shell,tunnel:3000`. Every comma outside quotes ends a cell; a
 * plus joins tabs only before a tile type. `shell@/srv/app:make` starts in a folder. Quotes around a whole tab or its
 * value are removed; other quotes belong to the command. An empty cell is a plain shell; blank text yields no cells.
 */
export function parseCells(text: string): readonly (readonly TabSpec[])[] {
  if (text.trim() === "") return [];
  return splitOutsideQuotes(text, comma, "params.tiles").map((cell, index) =>
    cell.trim() === ""
      ? [{ type: "shell" }]
      : splitOutsideQuotes(cell, joiningPlus, "params.tiles").map((tab) => parseTab(tab, index + 1)),
  );
}

/** Parses a list of commands: `echo a,'echo b, c'`. An empty item gives its shell no command; blank text yields none. */
export function parseCommands(text: string): readonly string[] {
  if (text.trim() === "") return [];
  return splitOutsideQuotes(text, comma, "params.commands").map(unquoted);
}

function parseTab(text: string, cell: number): TabSpec {
  const spec = unquoted(text);
  const [, type, folder, rest = ""] = TAB.exec(spec) ?? [];
  const value = isQuoted(text.trim()) ? rest.trim() : unquoted(rest);
  switch (folder === undefined || type === "shell" ? type : undefined) {
    case "shell": {
      const cwd = folder === undefined ? {} : { cwd: folderOf(folder, cell) };
      return value === "" ? { type: "shell", ...cwd } : { type: "shell", command: value, ...cwd };
    }
    case "plugin":
      return value === ""
        ? rejectCell(cell, "plugin:<id> with the id of an installed plugin", spec)
        : { type: "plugin", plugin: value };
    case "peek":
      return { type: "peek", shell: shellOf(value, cell) };
    case "tunnel":
      return { type: "tunnel", port: portOf(value, cell) };
    case "browser":
      return value === "" ? { type: "browser" } : { type: "browser", url: webAddress(value, cell) };
    default:
      return rejectCell(
        cell,
        "shell[:command], tunnel:<port> or browser[:url], plugin:<id>, peek:<shell> or shell@<folder>[:command], with quotes around what holds a comma",
        spec,
      );
  }
}

function folderOf(text: string, cell: number): string {
  const folder = unquoted(text);
  return folder === "" ? rejectCell(cell, "shell@<folder> with a folder", text) : folder;
}

function shellOf(text: string, cell: number): number {
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : rejectCell(cell, "peek:<shell> with the id of a shell", text);
}

function portOf(text: string, cell: number): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : rejectCell(cell, "tunnel:<port> with a port from 1 to 65535", text);
}

/** Accepts http and https only: tiles must not open `javascript:` or `file:` addresses. */
function webAddress(text: string, cell: number): string {
  const url = /^(?:[\w.-]+|\[[\da-f:]+\]):\d{1,5}(?:[/?#]|$)/i.test(text) ? withScheme(text) : text;
  return /^https?:\/\/[^\s/]\S*$/i.test(url)
    ? url
    : rejectCell(cell, "browser:<url> with an http or https address, or a host with its port", text);
}

function rejectCell(cell: number, expected: string, got: string): never {
  throw new RemoteError(
    "invalid_params",
    `params.tiles: cell ${cell}: expected ${expected}, got ${quoteForMessage(got)}.`,
  );
}

function fits(side: number): boolean {
  return side >= 1 && side <= maxGridSide;
}
