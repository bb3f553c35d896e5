import { z } from "zod";

/** Any JSON value, under one name in every description: generators need a name to write a type that holds itself. */
export const JsonValue = z.json().meta({ id: "JsonValue" });
export type JsonValue = z.infer<typeof JsonValue>;
