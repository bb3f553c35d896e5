import { isRecord } from "../../core/protocol/json-value.ts";

const INCOMPLETE = "Not everything up to now is indexed yet: the same search finds more later.";

/**
 * Returns the list in the result of an operation, and what is to be said beside it. A relay of another version may answer
 * the list itself.
 *
 * @param field the field that has the list; undefined: the result is one
 */
export function listIn(result: unknown, field: string | undefined): { list: unknown; notice: string | undefined } {
  if (field === undefined || !isRecord(result) || !(field in result)) return { list: result, notice: undefined };
  return { list: result[field], notice: result.complete === false ? INCOMPLETE : undefined };
}
