import { z } from "zod";

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** Deeper fields are not listed: their object's can be any. */
const MOST_LEVELS = 3;

/**
 * Returns the fields of each record of a result as `--format` names them: `a`, `a.b` of an object inside, and `a.*` where
 * the fields of an object vary.
 */
export function resultFields(result: z.ZodType): string[] {
  const { $defs = {}, ...schema } = z.toJSONSchema(result, { io: "output", unrepresentable: "any" }) as Schema;
  const resolved = ({ $ref, ...inPlace }: Schema): Schema => $defs[$ref?.replace(/^#\/\$defs\//, "") ?? ""] ?? inPlace;
  return [...new Set(fieldsOf(recordOf(schema, resolved), resolved))];
}

type Resolve = (schema: Schema) => Schema;

/** The schema of a record: of a list, of the one list in a record, or the record itself. */
function recordOf(schema: Schema, resolved: Resolve): Schema {
  const { items, properties = {}, ...whole } = resolved(schema);
  if (items !== undefined) return items;
  const [only, ...others] = Object.values(properties);
  const inOnly = others.length === 0 && only !== undefined ? resolved(only).items : undefined;
  return inOnly !== undefined && isObject(resolved(inOnly)) ? inOnly : { ...whole, properties };
}

function fieldsOf(given: Schema, resolved: Resolve, level = 1): string[] {
  const { anyOf = [], oneOf = [], allOf = [], properties, type } = resolved(given);
  const parts = [...anyOf, ...oneOf, ...allOf];
  if (parts.length > 0) return parts.flatMap((part) => fieldsOf(part, resolved, level));
  if (properties === undefined) {
    if (type === undefined || type === "object") return ["*"];
    return level === 1 && type !== "null" ? ["value"] : [];
  }
  return Object.entries(properties).flatMap(([name, property]) => {
    const inner = level < MOST_LEVELS ? fieldsOf(property, resolved, level + 1) : ["*"];
    return [name, ...inner.map((field) => `${name}.${field}`)];
  });
}

function isObject({ type, properties }: Schema): boolean {
  return type === "object" || properties !== undefined;
}
