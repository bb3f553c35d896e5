import { isRecord } from "../../core/protocol/json-value.ts";
import { didYouMean } from "../../core/protocol/nearest.ts";
import { usageError } from "../parse/exit-codes.ts";
import { escapeControls } from "./cell.ts";

type Row = Readonly<Record<string, unknown>>;
type Part = { readonly text: string } | { readonly path: string };

/**
 * A result by a template such as `{id}\t{title}`: one line for each record. `{a.b}` is a field of an object inside,
 * `{{` and `}}` are braces, and `\t`, `\n` and `\\` are what they are in C. A field that a record does not have is empty,
 * as in tmux.
 */
export function formatByTemplate(template: string, result: unknown): string {
  const parts = partsOf(template);
  return rowsOf(result)
    .map((row) => `${parts.map((part) => formatPart(part, row)).join("")}\n`)
    .join("");
}

/**
 * Checks the fields of a template before the command is sent: one that no record can have would print empty lines.
 *
 * @throws CliError that names the fields
 */
export function checkTemplate(template: string, fields: readonly string[], command: string): void {
  const unknown = partsOf(template).find((part) => "path" in part && !hasField(fields, part.path));
  if (unknown === undefined || !("path" in unknown)) return;
  const known = fields.filter((field) => !field.includes("."));
  throw usageError(
    `--format: the result of ${command} has no field ${JSON.stringify(unknown.path)}.${didYouMean(unknown.path, fields)} It has: ${known.join(", ")}.`,
  );
}

function hasField(fields: readonly string[], path: string): boolean {
  const parents = path.split(".").map((_, index, names) => [...names.slice(0, index), "*"].join("."));
  return fields.includes(path) || parents.some((parent) => fields.includes(parent));
}

function partsOf(template: string): Part[] {
  const parts: Part[] = [];
  const pattern = /\{\{|\}\}|\\[tn\\]|\{([\w.]*)\}|[{}]|[^{}\\]+|\\/g;
  for (const [whole, path] of template.matchAll(pattern)) {
    if (path !== undefined) parts.push({ path });
    else if (whole === "{" || whole === "}") {
      throw usageError(`--format: a lone ${whole} in ${JSON.stringify(template)}; double it to print it.`);
    } else parts.push({ text: ESCAPES[whole] ?? whole });
  }
  return parts;
}

const ESCAPES: Readonly<Record<string, string>> = { "{{": "{", "}}": "}", "\\t": "\t", "\\n": "\n", "\\\\": "\\" };

/** The records of a result: of a list, of the one list in a record, or the record itself. */
function rowsOf(result: unknown): Row[] {
  if (Array.isArray(result)) return result.map(asRow);
  const lists = isRecord(result)
    ? Object.values(result).filter((value) => Array.isArray(value) && value.every(isRecord))
    : [];
  const [only, ...others] = lists as Row[][];
  return only !== undefined && others.length === 0 && Object.keys(asRow(result)).length === 1 ? only : [asRow(result)];
}

/** A value on one line, however it came: what would steer the terminal or end the line is spelled out. */
function formatPart(part: Part, row: Row): string {
  if ("text" in part) return part.text;
  const value = part.path.split(".").reduce<unknown>((inner, name) => {
    return isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
  }, row);
  if (value === undefined || value === null) return "";
  return escapeControls(typeof value === "string" ? value : JSON.stringify(value));
}

function asRow(value: unknown): Row {
  return isRecord(value) ? value : { value };
}
