import { z } from "zod";

export type Json = Record<string, unknown>;

/**
 * Any JSON value. Items of an array and values of an object are left open, which says the same: TypeScript refuses a property
 * whose type is an array of itself, and a type that is a record of itself, and so would refuse what generators make.
 */
const jsonValue: Json = {
  description: "Any JSON value.",
  anyOf: [
    { type: "string" },
    { type: "number" },
    { type: "boolean" },
    { type: "null" },
    { type: "array", items: {} },
    { type: "object", additionalProperties: {} },
  ],
};

/** The named JSON Schemas of declarations: the document's `components.schemas`. */
export class SchemaBook {
  readonly schemas: Json = {};

  /**
   * Keeps the schema of a declaration under the name and answers a reference to it. Declarations that carry an id of
   * their own inside it are kept under that id.
   */
  define(name: string, schema: z.ZodType, io: "input" | "output"): Json {
    return this.add(name, this.schemaOf(name, schema, io));
  }

  /** Keeps a schema that is written out. @throws Error where another one has the name. */
  add(name: string, schema: Json): Json {
    const known = this.schemas[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two schemas are called ${name}`);
    }
    this.schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }

  /** The schema of a declaration, to be written in place; `name` is used for what is recursive in it. */
  schemaOf(name: string, schema: z.ZodType, io: "input" | "output"): Json {
    const { $schema: _, $defs = {}, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json;
    const place = (reference: string) =>
      reference.replace(/^#\/\$defs\/(.+)$/, (_match, inner: string) => `#/components/schemas/${nameOf(name, inner)}`);
    const own = Object.entries($defs as Json).filter(([inner]) => !isGeneratedJson(inner, $defs as Json));
    for (const [inner, definition] of own) {
      this.add(nameOf(name, inner), inner === "JsonValue" ? jsonValue : (relocated(definition, place) as Json));
    }
    const schemaInPlace = relocated(json, place) as Json;
    return io === "input" ? defaultsInWords(schemaInPlace) : schemaInPlace;
  }
}

/**
 * What may be left out, said in the description alone: of a `default` openapi-typescript makes a property that must be
 * given, also in requests.
 */
function defaultsInWords(schema: Json): Json {
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Json>>);
  if (properties.length === 0) return schema;
  return {
    ...schema,
    properties: Object.fromEntries(
      properties.map(([name, { default: value, ...property }]) => [name, withDefault(property, value)]),
    ),
  };
}

function withDefault(property: Json, value: unknown): Json {
  const { description = "" } = property;
  if (value === undefined || String(description).includes("default:")) return property;
  const words = `default: ${JSON.stringify(value)}`;
  return { ...property, description: description === "" ? words : `${description}; ${words}` };
}

/** Names given by hand are the same everywhere; the generator's own (`__schema0`) are only so within one schema. */
function nameOf(name: string, inner: string): string {
  return inner.startsWith("__") ? `${name}${inner.slice(2)}` : inner;
}

/** The generator's own helper of `JsonValue`, which is written out here. */
function isGeneratedJson(inner: string, definitions: Json): boolean {
  const value = definitions.JsonValue;
  return typeof value === "object" && value !== null && "$ref" in value && value.$ref === `#/$defs/${inner}`;
}

/** References put to their place in the document; what says nothing (every key of a JSON object is text) is left out. */
function relocated(value: unknown, place: (reference: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => relocated(item, place));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, inner]) => key !== "propertyNames" || JSON.stringify(inner) !== '{"type":"string"}',
  );
  return Object.fromEntries(
    entries.map(([key, inner]) => [
      key,
      key === "$ref" && typeof inner === "string" ? place(inner) : relocated(inner, place),
    ]),
  );
}
