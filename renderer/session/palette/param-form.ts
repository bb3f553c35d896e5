import { z } from "zod";
import { type MethodName, specs } from "../../../core/commands/specs.ts";

interface Common {
  readonly name: string;
  readonly required: boolean;
  /** Description from the declaration. */
  readonly help: string;
}

/** A form field for one parameter. */
export type Field = Common &
  (
    | { readonly kind: "text" }
    | {
        readonly kind: "number";
        readonly whole: boolean;
        readonly min: number | undefined;
        readonly max: number | undefined;
      }
    | { readonly kind: "switch"; readonly start: boolean }
    | { readonly kind: "choice"; readonly choices: readonly string[]; readonly start: string }
    | { readonly kind: "json" }
    | { readonly kind: "tile" }
    | { readonly kind: "shell" }
    | { readonly kind: "workspace" }
  );

/** Values of the form: text for each field, `"true"` or `"false"` for a switch. */
export type FormValues = Readonly<Record<string, string>>;

/** Derives the fields of a command's form from its declaration, required ones first. */
export function fieldsOf(method: MethodName): readonly Field[] {
  const schema = z.toJSONSchema(specs[method].params, { io: "input", unrepresentable: "any" }) as JsonObject;
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    fieldOf(method, name, property, required.has(name)),
  );
  return fields.toSorted((a, b) => Number(b.required) - Number(a.required));
}

/** Returns the initial values of the form. */
export function initialValues(fields: readonly Field[], focusedTile: number | null): FormValues {
  return Object.fromEntries(fields.map((field) => [field.name, initialValue(field, focusedTile)]));
}

/** Parses the form into parameters, or returns the first invalid field. Empty fields are omitted. */
export function parseForm(
  fields: readonly Field[],
  values: FormValues,
): { readonly params: Readonly<Record<string, unknown>> } | { readonly wrong: string; readonly message: string } {
  const params: Record<string, unknown> = {};
  for (const field of fields) {
    const value = values[field.name] ?? "";
    // A required text may be empty: an empty label removes the label.
    if (value === "" && !(field.required && field.kind === "text")) {
      if (field.required)
        return { wrong: field.name, message: `${field.name} is needed: ${field.help || "give a value"}.` };
      continue;
    }
    try {
      params[field.name] = parseValue(field, value);
    } catch {
      return {
        wrong: field.name,
        message: `${field.name}: expected ${expectedFormat(field)}, got ${value.slice(0, 40)}.`,
      };
    }
  }
  return { params };
}

interface JsonObject {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly properties?: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[];
}

/** Parameters that identify a tile or a shell: the form offers a choice. */
const tileNames = new Set(["tile", "against", "key", "target", "keyA", "keyB"]);
const shellNames = new Set(["shell", "shellId"]);
const methodsWithShellId = new Set<MethodName>([
  "closeShell",
  "respawnShell",
  "sendKeys",
  "adoptShell",
  "getShellOutput",
  "writeToShell",
  "waitFor",
]);
const methodsWithWorkspace = new Set<MethodName>(["switchWorkspace", "closeWorkspace", "renameWorkspace"]);

function fieldOf(method: MethodName, name: string, property: JsonObject, required: boolean): Field {
  const common: Common = { name, required, help: property.description ?? "" };
  if (property.type === "integer") {
    if (tileNames.has(name)) return { ...common, kind: "tile" };
    if (shellNames.has(name) || (name === "id" && methodsWithShellId.has(method))) return { ...common, kind: "shell" };
    if (name === "index" && methodsWithWorkspace.has(method)) return { ...common, kind: "workspace" };
  }
  if (property.enum !== undefined) {
    return { ...common, kind: "choice", choices: property.enum, start: textOf(property.default) };
  }
  switch (property.type) {
    case "boolean":
      return { ...common, kind: "switch", start: property.default === true };
    case "integer":
    case "number":
      return { ...common, kind: "number", whole: property.type === "integer", ...boundsOf(property) };
    case "string":
      return { ...common, kind: "text" };
    default:
      return { ...common, kind: "json" };
  }
}

function boundsOf({ minimum, maximum, exclusiveMinimum }: JsonObject): {
  min: number | undefined;
  max: number | undefined;
} {
  const min = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1);
  return {
    min: min === undefined || min <= Number.MIN_SAFE_INTEGER ? undefined : min,
    max: maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum,
  };
}

function initialValue(field: Field, focusedTile: number | null): string {
  switch (field.kind) {
    case "switch":
      return String(field.start);
    case "choice":
      return field.start || (field.required ? (field.choices[0] ?? "") : "");
    case "tile":
      return field.required && field.name !== "target" && field.name !== "keyB" && focusedTile !== null
        ? String(focusedTile)
        : "";
    default:
      return "";
  }
}

function parseValue(field: Field, value: string): unknown {
  switch (field.kind) {
    case "switch":
      return value === "true";
    case "number":
    case "tile":
    case "shell":
    case "workspace":
      return parseNumber(value);
    case "json":
      return JSON.parse(value);
    case "text":
    case "choice":
      return value;
  }
}

function parseNumber(text: string): number {
  const number = Number(text);
  if (!Number.isFinite(number)) throw new RangeError("not a number");
  return number;
}

function expectedFormat(field: Field): string {
  return field.kind === "json" ? 'JSON, for example [1, 2] or "text"' : "a number";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
