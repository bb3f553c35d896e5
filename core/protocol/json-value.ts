import { z } from "zod";

/** Any JSON value. Named in every schema, because code generators need a name for a recursive type. */
export const JsonValue = z.json().meta({ id: "JsonValue" });
export type JsonValue = z.infer<typeof JsonValue>;

/** Returns the value of a JSON text; undefined for another text, and for none. */
export function jsonOrUndefined(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Tells whether a value is an object, and no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
