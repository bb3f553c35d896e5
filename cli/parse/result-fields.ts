import { z } from "zod";

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
}

/** Deeper fields are not listed: their object's can be any. */
const MOST_LEVELS = 3;

/**
 * Returns the fields of each record of a result as `--format` names them: `a`, `a.b` of an object inside, and `a.*` where
 * the fields of an object vary.
 */
export function resultFields(result: z.ZodType): string[] {
  const schema = z.toJSONSchema(result, { io: "output", unrepresentable: "any", reused: "inline" }) as Schema;
  return [...new Set(fieldsOf(recordOf(schema)))];
}

/** The schema of a record: of a list, of the one list in a record, or the record itself. */
function recordOf(schema: Schema): Schema {
  if (schema.items !== undefined) return schema.items;
  const [only, ...others] = Object.values(schema.properties ?? {});
  return others.length === 0 && only?.items !== undefined && isObject(only.items) ? only.items : schema;
}

function fieldsOf(schema: Schema, level = 1): string[] {
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  if (parts.length > 0) return parts.flatMap((part) => fieldsOf(part, level));
  if (schema.properties === undefined) {
    const varies = schema.$ref !== undefined || schema.type === undefined || schema.type === "object";
    return varies ? ["*"] : level === 1 && schema.type !== "null" ? ["value"] : [];
  }
  return Object.entries(schema.properties).flatMap(([name, property]) => {
    const inner = level < MOST_LEVELS ? fieldsOf(property, level + 1) : ["*"];
    return [name, ...inner.map((field) => `${name}.${field}`)];
  });
}

function isObject({ type, properties }: Schema): boolean {
  return type === "object" || properties !== undefined;
}
