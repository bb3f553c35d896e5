import type { Json } from "./schema-book.ts";

/** A value that fits a schema of parameters: what is required, and nothing else. */
export function exampleOf(schema: Json): unknown {
  const { examples, const: only, enum: choices, type, minimum = 1, oneOf } = schema as Schema;
  if (examples !== undefined) return examples[0];
  if (only !== undefined) return only;
  if (choices !== undefined) return choices[0];
  switch (Array.isArray(type) ? type[0] : type) {
    case "object":
      return objectExample(schema, oneOf?.[0]);
    case "array":
      return [];
    case "boolean":
      return true;
    case "integer":
    case "number":
      return Math.max(minimum, type === "integer" ? 1 : minimum);
    default:
      return "text";
  }
}

interface Schema {
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly minimum?: number;
  readonly oneOf?: readonly Json[];
}

/** `choice` is the first of several ways to fulfil the schema; what enums take first must fit it. */
function objectExample(schema: Json, choice: Json = {}): Json {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Json>>;
  const required = [schema, choice].flatMap((part) => (part.required ?? []) as string[]);
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]));
}
