import { z } from "zod";
import { jsonOrUndefined } from "../../../core/protocol/json-value.ts";

/** A column that holds JSON. Text that is not JSON counts as undefined. */
export function json<Schema extends z.ZodType>(schema: Schema) {
  return z.string().transform(jsonOrUndefined).pipe(schema);
}

/** A column that holds 0 or 1. */
export const Flag = z.int().transform((value) => value !== 0);

/** Parses the `record` column of rows, and drops records that another version wrote differently. */
export function readableRecords<Record>(schema: z.ZodType<Record>, rows: readonly unknown[]): Record[] {
  const row = z.object({ record: json(schema) });
  return rows.flatMap((candidate) => {
    const { data } = row.safeParse(candidate);
    return data === undefined ? [] : [data.record];
  });
}
