/** Writes the types of all commands and operations for the published package, which has no zod. For its packing only. */
import { z } from "zod";
import { methodNames, specOf } from "../../core/commands/specs.ts";
import { operationNames, operations } from "../../core/operations/index.ts";
import { CommandTarget } from "../../core/protocol/ids.ts";
import { isRecord } from "../../core/protocol/json-value.ts";
import { OutputEvent } from "../../core/protocol/output-events.ts";
import { routeOf } from "../operation-routes.ts";

type Io = "input" | "output";

/** Returns the declarations that stand in for those of methods.ts. */
export function methodTypes(): string {
  const book = new TypeBook();
  const methods = methodNames.map((name) => {
    const spec = specOf(name);
    if (spec === undefined) throw new Error(`no command ${name}`);
    return entry(name, spec.summary, book.typeOf(spec.params, "input", name), book.typeOf(spec.result, "output", name));
  });
  const others = operationNames.map((name) => {
    const { summary, params, result } = operations[name];
    const shape: z.ZodRawShape = params.shape;
    const given = routeOf(name).inSession ? z.object({ ...shape, session: z.string().optional() }) : params;
    return entry(name, summary, book.typeOf(given, "input", name), book.typeOf(result, "output", name));
  });
  const output = book.typeOf(OutputEvent, "output", "OutputEvent");
  return [
    ...book.definitions(),
    `export type CommandTarget = ${book.typeOf(CommandTarget, "output", "CommandTarget")};\n`,
    `/** An event of a shell's output. */\nexport type OutputEvent = ${output};\n`,
    `/** The commands, by their names. */\nexport interface Methods {\n${methods.join("")}}\n`,
    `/** The operations of the relay itself, by their names. */\nexport interface Operations {\n${others.join("")}}\n`,
  ].join("\n");
}

function entry(name: string, summary: string, params: string, result: string): string {
  return `  /** ${comment(summary)} */\n  ${name}: {\n    readonly params: ${params};\n    readonly result: ${result};\n  };\n`;
}

/** Types from JSON Schemas; named and recursive ones are declared once. */
class TypeBook {
  readonly #named = new Map<string, string>();

  typeOf(schema: z.ZodType, io: Io, owner: string): string {
    const json: unknown = z.toJSONSchema(schema, { io, unrepresentable: "any" });
    const { $defs = {}, ...own } = isRecord(json) ? json : {};
    const names = new Map<string, string>();
    const definitions = Object.entries(isRecord($defs) ? $defs : {});
    for (const [name] of definitions)
      names.set(name, /^__/.test(name) ? `${owner}${io}${name}` : `${name}${suffix(io)}`);
    names.set("", `${owner}${io}`);
    for (const [name, definition] of definitions) {
      const declared = names.get(name) ?? name;
      if (!this.#named.has(declared)) this.#named.set(declared, write(definition, names));
    }
    const text = write(own, names);
    if (!JSON.stringify(own).includes('"$ref":"#"')) return text;
    this.#named.set(`${owner}${io}`, text);
    return `${owner}${io}`;
  }

  definitions(): string[] {
    return [...this.#named].map(([name, text]) => `type ${name} = ${text};\n`);
  }
}

function suffix(io: Io): string {
  return io === "input" ? "Input" : "";
}

function write(schema: unknown, names: ReadonlyMap<string, string>): string {
  if (!isRecord(schema)) return "unknown";
  const { $ref, const: constant, enum: values, anyOf, oneOf, allOf, type } = schema;
  if (typeof $ref === "string") return names.get($ref.replace(/^#(\/\$defs\/)?/, "")) ?? "unknown";
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  // Beside properties, conditions say only which of those are given together.
  if (isRecord(schema.properties)) return objectType(schema, names);
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return join(choices, " | ", names);
  if (Array.isArray(allOf)) return join(allOf, " & ", names);
  if (Array.isArray(type))
    return join(
      type.map((one) => ({ ...schema, type: one })),
      " | ",
      names,
    );
  switch (type) {
    case "string":
    case "boolean":
    case "null":
    case "number":
      return type;
    case "integer":
      return "number";
    case "array":
      return Array.isArray(schema.prefixItems)
        ? `[${schema.prefixItems.map((item) => write(item, names)).join(", ")}]`
        : `(${write(schema.items, names)})[]`;
    case "object":
      return objectType(schema, names);
    default:
      return "unknown";
  }
}

function join(schemas: readonly unknown[], by: string, names: ReadonlyMap<string, string>): string {
  return schemas.map((one) => `(${write(one, names)})`).join(by);
}

function objectType(schema: Readonly<Record<string, unknown>>, names: ReadonlyMap<string, string>): string {
  const { properties, required, additionalProperties: rest } = schema;
  const fields = Object.entries(isRecord(properties) ? properties : {}).map(([name, property]) => {
    const needed = Array.isArray(required) && required.includes(name);
    const about = isRecord(property) && typeof property.description === "string" ? property.description : "";
    const doc = about === "" ? "" : `/** ${comment(about)} */ `;
    return `${doc}${JSON.stringify(name)}${needed ? "" : "?"}: ${write(property, names)}${needed ? "" : " | undefined"};`;
  });
  if (fields.length > 0) return `{ ${fields.join(" ")} }`;
  return isRecord(rest) || rest === true ? `{ [name: string]: ${write(rest, names)} }` : "Record<never, never>";
}

/** A text that ends no comment. */
function comment(text: string): string {
  return text.replaceAll("*/", "* /").replaceAll("\n", " ");
}
