import { z } from "zod";
import type { PaletteField, PaletteForm } from "../../../core/commands/command.ts";
import { type MethodName, specs } from "../../../core/commands/specs.ts";
import { words } from "../words/index.ts";

/** A form of the palette, and the command that it is for. */
export interface MethodForm {
  readonly method: MethodName;
  readonly form: PaletteForm;
  /** The value of its first field, where it was typed behind the name. */
  readonly value?: string;
}

interface Common {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly required: boolean;
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
    | {
        readonly kind: "choice";
        readonly choices: readonly { readonly value: string; readonly label: string }[];
        readonly start: string;
      }
    | { readonly kind: "pick"; readonly from: NonNullable<PaletteField["pick"]>; readonly isNumber: boolean }
  );

/** Values of the form: text for each field, `"true"` or `"false"` for a switch. */
export type FormValues = Readonly<Record<string, string>>;

/** Derives the fields of a form from its declaration and the command's parameters, in the declared order. */
export function fieldsOf({ method, form }: MethodForm): readonly Field[] {
  const schema = z.toJSONSchema(specs[method].params, { io: "input", unrepresentable: "any" }) as JsonObject;
  const required = new Set(schema.required ?? []);
  return Object.entries(form.fields).flatMap(([name, field]) => {
    const property = schema.properties?.[name];
    if (property === undefined || field === undefined) return [];
    return [fieldOf({ name, property, field, required: required.has(name) || field.needed === true })];
  });
}

/** Returns the values that a form opens with: the given one of its first field, the last ones, and the usual ones. */
export function initialValues(fields: readonly Field[], value = "", last: FormValues = {}): FormValues {
  return Object.fromEntries(
    fields.map((field, index) => [field.name, (index === 0 && value) || (last[field.name] ?? initialValue(field))]),
  );
}

/**
 * Parses the form into parameters, or returns the first invalid field. Empty fields are omitted.
 * @param focusedTile for the parameter that receives it
 */
export function parseForm(
  { form }: Pick<MethodForm, "form">,
  fields: readonly Field[],
  { values, focusedTile }: { readonly values: FormValues; readonly focusedTile: number | null },
): { readonly params: Readonly<Record<string, unknown>> } | { readonly wrong: string; readonly message: string } {
  const params: Record<string, unknown> = { ...form.preset };
  if (form.focused !== undefined && focusedTile !== null) params[form.focused] = focusedTile;
  for (const field of fields) {
    const value = values[field.name] ?? "";
    if (value.trim() === "") {
      if (field.required) return { wrong: field.name, message: words.palette.giveValue(field.label) };
      continue;
    }
    const parsed = parseValue(field, value);
    if (parsed === undefined)
      return { wrong: field.name, message: words.palette.noNumber(field.label, value.slice(0, 40)) };
    params[field.name] = parsed;
  }
  return { params };
}

interface JsonObject {
  readonly type?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly properties?: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[];
}

interface Declared {
  readonly name: string;
  readonly property: JsonObject;
  readonly field: PaletteField;
  readonly required: boolean;
}

function fieldOf({ name, property, field, required }: Declared): Field {
  const common: Common = { name, label: field.label, help: field.help ?? "", required };
  const isNumber = property.type === "integer" || property.type === "number";
  if (field.pick !== undefined) return { ...common, kind: "pick", from: field.pick, isNumber };
  if (property.enum !== undefined) {
    const choices = property.enum.map((value) => ({ value, label: field.choices?.[value] ?? value }));
    return { ...common, kind: "choice", choices, start: typeof property.default === "string" ? property.default : "" };
  }
  if (property.type === "boolean") return { ...common, kind: "switch", start: property.default === true };
  if (isNumber) return { ...common, kind: "number", whole: property.type === "integer", ...boundsOf(property) };
  return { ...common, kind: "text" };
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

function initialValue(field: Field): string {
  if (field.kind === "switch") return String(field.start);
  if (field.kind === "choice") return field.start || (field.required ? (field.choices[0]?.value ?? "") : "");
  return "";
}

function parseValue(field: Field, value: string): unknown {
  if (field.kind === "switch") return value === "true";
  if (field.kind !== "number" && !(field.kind === "pick" && field.isNumber)) return value;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
