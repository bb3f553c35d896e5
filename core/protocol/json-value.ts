import { z } from "zod";

/** Any JSON value. Named in every schema, because code generators need a name for a recursive type. */
export const JsonValue = z.json().meta({ id: "JsonValue" });
export type JsonValue = z.infer<typeof JsonValue>;
