import { type MethodName, methodNames, specs } from "../../core/commands/specs.ts";
import { type CommandRow, commandRow } from "./command-row.ts";

/**
 * The spellings of all commands. Rows are derived on demand; the build may replace this module by its rows as data
 * (see prebuilt-table.ts), because declaring every command takes longer than sending one.
 */
export function commandNames(): string[] {
  return methodNames.flatMap((method) => specs[method].cli.map((form) => form.name));
}

export function commandNamed(name: string): CommandRow | undefined {
  for (const method of methodNames) {
    const form = specs[method].cli.find((candidate) => candidate.name === name);
    if (form !== undefined) return rowOf(method, form);
  }
  return undefined;
}

export function allCommands(): CommandRow[] {
  return methodNames.flatMap((method) => specs[method].cli.map((form) => rowOf(method, form)));
}

/** Derived once each: a relay runs every command of the fast command line, and a misspelt one needs all rows. */
const rows = new Map<string, CommandRow>();

function rowOf(method: MethodName, form: (typeof specs)[MethodName]["cli"][number]): CommandRow {
  const known = rows.get(form.name) ?? commandRow(method, specs[method], form);
  rows.set(form.name, known);
  return known;
}
