import { allCommands } from "./command-table.ts";

/**
 * Source text of a module that can stand in for command-table.ts: the same rows as data, without the declarations
 * and zod's work for them. For the build only.
 */
export function prebuiltTable(): string {
  return `const rows = JSON.parse(${JSON.stringify(JSON.stringify(allCommands()))});
export const allCommands = () => rows;
export const commandNames = () => rows.map((row) => row.name);
export const commandNamed = (name) => rows.find((row) => row.name === name);
`;
}
