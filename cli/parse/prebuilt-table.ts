import { allCommands } from "./command-table.ts";
import { allOperations } from "./operation-table.ts";

/**
 * Source texts of modules that can stand in for command-table.ts and operation-table.ts: the same rows as data, without
 * the declarations and zod's work for them. For the build only.
 */
export function prebuiltTables(): Readonly<Record<string, string>> {
  return {
    "command-table.ts": `const rows = ${asJsonParse(allCommands())};
export const allCommands = () => rows;
export const commandNames = () => rows.map((row) => row.name);
export const commandNamed = (name) => rows.find((row) => row.name === name);
`,
    "operation-table.ts": `const rows = ${asJsonParse(allOperations())};
export const allOperations = () => rows;
export const operationNamed = (name) => rows.find((row) => row.name === name);
`,
  };
}

/** Engines parse JSON faster than a literal. */
function asJsonParse(value: unknown): string {
  return `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;
}
