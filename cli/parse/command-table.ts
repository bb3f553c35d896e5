import { methodNames, specs } from "../../core/commands/specs.ts";
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
    if (form !== undefined) return commandRow(method, specs[method], form);
  }
  return undefined;
}

export function allCommands(): CommandRow[] {
  return methodNames.flatMap((method) => specs[method].cli.map((form) => commandRow(method, specs[method], form)));
}
