import { z } from "zod";

/** Any JSON value. Named in every schema, because code generators need a name for a recursive type. */
export const JsonValue = z.json().meta({ id: "JsonValue" });
export type JsonValue = z.infer<typeof JsonValue>;

/** Tells whether a value is an object, and no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
