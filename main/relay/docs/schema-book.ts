import { z } from "zod";

export type Json = Record<string, unknown>;

/** JSON Schemas of declarations, fit to stand in one OpenAPI document: what refers to itself is kept under a name. */
export class SchemaBook {
  /** What the schemas refer to: the document's `components.schemas`. */
  readonly shared: Json = {};

  /** The schema of a declaration; `name` is used where it has to be referred to. */
  schemaOf(name: string, schema: z.ZodType, io: "input" | "output"): Json {
    const { $schema: _, $defs, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json;
    const place = (reference: string) => {
      if (reference === "#") return `#/components/schemas/${name}`;
      return reference.replace(
        /^#\/\$defs\/(.+)$/,
        (_match, inner: string) => `#/components/schemas/${nameOf(name, inner)}`,
      );
    };
    for (const [inner, definition] of Object.entries(($defs as Json | undefined) ?? {})) {
      this.shared[nameOf(name, inner)] = relocated(definition, place);
    }
    const moved = relocated(json, place) as Json;
    if (!JSON.stringify(moved).includes(`"#/components/schemas/${name}"`)) return moved;
    this.shared[name] = moved;
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** Names given by hand are the same everywhere; the generator's own (`__schema0`) are only so within one schema. */
function nameOf(name: string, inner: string): string {
  return inner.startsWith("__") ? `${name}${inner}` : inner;
}

function relocated(value: unknown, place: (reference: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => relocated(item, place));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "$ref" && typeof inner === "string" ? place(inner) : relocated(inner, place),
    ]),
  );
}
