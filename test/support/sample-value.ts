import { z } from "zod";

/** What of a JSON schema a sample needs. */
const Schema = z.looseObject({
  /** With null as another type, it stands first. */
  type: z.union([z.string(), z.array(z.string()).transform(([first]) => first)]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  get anyOf() {
    return z.array(Schema).optional();
  },
  get oneOf() {
    return z.array(Schema).optional();
  },
  get items() {
    return Schema.optional();
  },
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
});
type Schema = z.infer<typeof Schema>;

const DEEPEST = 8;

/** Returns a value that fits a schema, with `text` wherever it takes any text. */
export function sampleValue(schema: z.ZodType, text: string): unknown {
  return sampleOf(Schema.parse(z.toJSONSchema(schema, { unrepresentable: "any", reused: "inline" })), text, 0);
}

function sampleOf(schema: Schema | undefined, text: string, depth: number): unknown {
  if (schema === undefined || depth > DEEPEST) return null;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined)
    return sampleOf(
      choices.find(({ type }) => type !== "null"),
      text,
      depth + 1,
    );
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? { [text]: Schema.parse({ type: "string" }) }).map(([name, inner]) => [
          name,
          sampleOf(inner, text, depth + 1),
        ]),
      );
    case "array":
      return [sampleOf(schema.items, text, depth + 1)];
    case "string":
      return textFor(schema, text);
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    default:
      return text;
  }
}

function textFor({ format, pattern }: Schema, text: string): string {
  if (format === "date-time") return "2026-11-21T04:00:00Z";
  return pattern === undefined && format === undefined ? text : "Abcdefgh12345678";
}
