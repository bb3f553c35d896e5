import { operationNames, operations } from "../../core/operations/index.ts";
import { type OperationRow, operationRow } from "./command-row.ts";

let rows: readonly OperationRow[] | undefined;

/**
 * Returns the rows of all operations, derived once: a relay looks a word up for every command of the fast command line.
 * The build may replace this module by them as data (see prebuilt-table.ts).
 */
export function allOperations(): readonly OperationRow[] {
  rows ??= operationNames.map((name) => operationRow(name, operations[name]));
  return rows;
}
