import { operationNames, operations } from "../../core/operations/index.ts";
import { type OperationRow, operationRow } from "./command-row.ts";

/** Returns the rows of all operations. The build may replace this module by them as data (see prebuilt-table.ts). */
export function allOperations(): OperationRow[] {
  return operationNames.map((name) => operationRow(name, operations[name]));
}
