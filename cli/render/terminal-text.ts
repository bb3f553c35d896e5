import { isRecord } from "../../core/protocol/json-value.ts";
import { escapeControls, formatCell, nameWidth } from "./cell.ts";
import { bold } from "./colour.ts";
import type { Style } from "./io.ts";
import { type ColumnOrder, table } from "./table.ts";

type Row = Readonly<Record<string, unknown>>;

/** A result as a person reads it, by its shape: lists as tables, one tile as a line, other records as `name: value`. */
export function terminalText(result: unknown, style: Style, order: ColumnOrder = {}): string {
  const text = formatValue(result, style, order);
  return hasCost(result) ? `${text}Costs are in US dollars at list prices.\n` : text;
}

function formatValue(result: unknown, style: Style, order: ColumnOrder): string {
  if (Array.isArray(result)) return result.every(isRecord) ? table(result, style, order) : lines(result);
  if (!isRecord(result)) return `${formatCell(result)}\n`;
  return "key" in result || "shellId" in result
    ? (oneLine(result) ?? record(result, style, order))
    : record(result, style, order);
}

function lines(values: readonly unknown[]): string {
  return values.length === 0 ? "none\n" : values.map((value) => `${formatCell(value)}\n`).join("");
}

/** What a layout command answers: `tile 4, shell 7`. */
function oneLine(result: Row): string | undefined {
  // A notice is for the error output.
  const parts = Object.entries(result).filter(([name]) => name !== "notice");
  if (parts.some(([, value]) => typeof value === "object" && value !== null)) return undefined;
  const names: Readonly<Record<string, string>> = { key: "tile", shellId: "shell" };
  return `${parts.map(([name, value]) => `${escapeControls(names[name] ?? name)} ${formatCell(value, name)}`).join(", ")}\n`;
}

function record(result: Row, style: Style, order: ColumnOrder): string {
  // A remote chooses the names, too.
  const entries = Object.entries(result).map(([name, value]) => [escapeControls(name), value] as const);
  const simple = entries.filter(([, value]) => !isTableLike(value) && !isRecord(value));
  const width = nameWidth(simple.map(([name]) => name)) + 1;
  const head = simple.map(([name, value]) => `${`${name}:`.padEnd(width)} ${formatCell(value, name)}\n`);
  const parts = entries
    .filter(([, value]) => isTableLike(value) || isRecord(value))
    .map(([name, value]) => `${bold(name, style)}\n${formatValue(value, style, order)}`);
  return [head.join(""), ...parts].filter((part) => part !== "").join("\n");
}

function isTableLike(value: unknown): value is Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

function hasCost(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return ("cost" in value && typeof value.cost === "number") || Object.values(value).some(hasCost);
}
