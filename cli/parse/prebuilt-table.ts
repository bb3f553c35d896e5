import { routeOf } from "../../client/operation-routes.ts";
import { operationNames } from "../../core/operations/index.ts";
import { allCommands } from "./command-table.ts";
import { allOperations } from "./operation-table.ts";

/**
 * Source texts of modules that can stand in for those that read the declarations, by path: the same rows as data, without
 * the declarations and zod's work for them. For the build only.
 */
export function prebuiltTables(): Readonly<Record<string, string>> {
  return {
    "cli/parse/command-table.ts": `const rows = ${asJsonParse(allCommands())};
export const allCommands = () => rows;
export const commandNames = () => rows.map((row) => row.name);
export const commandNamed = (name) => rows.find((row) => row.name === name);
`,
    "cli/parse/operation-table.ts": `const rows = ${asJsonParse(allOperations())};
export const allOperations = () => rows;
`,
    "client/operation-routes.ts": `const routes = ${asJsonParse(routes())};
export const routeOf = (name) => routes[name];
`,
  };
}

function routes() {
  return Object.fromEntries(operationNames.map((name) => [name, routeOf(name)]));
}

/** Engines parse JSON faster than a literal. */
function asJsonParse(value: unknown): string {
  return `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;
}
