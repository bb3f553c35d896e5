import { z } from "zod";
import type { Alternative, Area, CliForm, CommandSpec, LocalOption } from "../../core/commands/command.ts";
import type { MethodName } from "../../core/commands/specs.ts";
import type { OperationName } from "../../core/operations/index.ts";
import { type OperationCliForm, type OperationSpec, pathParams } from "../../core/operations/operation.ts";
import { resultFields } from "./result-fields.ts";

type JsonSchema = Readonly<Record<string, unknown>> & { readonly anyOf?: readonly unknown[] };

/** A parameter of a command as the command line takes it. */
export interface ParamRow {
  /** Its name in the request's `params`. */
  readonly name: string;
  /** Its spelling on the command line: `key_a` by position, `key-a` after two dashes. */
  readonly word: string;
  readonly byPosition: boolean;
  readonly required: boolean;
  /**
   * `path`: a file or folder, relative to the caller's folder. `words`: a list of texts; `pairs`: texts by name, as
   * NAME=VALUE, repeatable.
   */
  readonly kind: "number" | "boolean" | "text" | "json" | "path" | "words" | "pairs";
  readonly choices?: readonly string[];
  /** The word `none` means null. */
  readonly nullable?: true;
  /** What the relay uses when it is left out; the command line does not send it. */
  readonly default?: string | number | boolean;
  readonly description: string;
}

const byOption = { byPosition: false, required: false } as const;

/** Options that the command line executes itself; a declaration names those that its spelling has. */
const localOptions: Readonly<Record<LocalOption, ParamRow>> = {
  file: {
    ...byOption,
    name: "file",
    word: "file",
    kind: "text",
    description: "write the content of this file in place of the data; - is the standard input",
  },
  follow: {
    ...byOption,
    name: "follow",
    word: "follow",
    kind: "boolean",
    description: "continue with new output, until the shell ends or Ctrl-C",
  },
  raw: {
    ...byOption,
    name: "raw",
    word: "raw",
    kind: "boolean",
    description: "on a terminal: keep every escape sequence, not only colours",
  },
};

/** One spelling of a command as plain data, for parsing, help, completion, printing and the documentation. */
export interface CommandRow {
  readonly name: string;
  readonly method: MethodName;
  readonly area: Area;
  readonly summary: string;
  readonly details?: string;
  readonly note?: string;
  /** Those by position first, in their order. */
  readonly params: readonly ParamRow[];
  /** Options that the command line executes itself and does not send. */
  readonly local?: readonly ParamRow[];
  readonly rest: boolean;
  readonly preset: Readonly<Record<string, unknown>>;
  readonly tail?: string;
  readonly instead?: Readonly<Record<string, Alternative>>;
  readonly clientArg?: string;
  /** An argument for which a single dash stands for the standard input. */
  readonly stdin?: string;
  readonly print?: NonNullable<CliForm["print"]>;
  readonly columns?: readonly string[];
  readonly hidden?: readonly string[];
  readonly examples: readonly string[];
  /** Fields of each record of the result, for `--format`: `a.b` of an object inside, `a.*` where its fields vary. */
  readonly fields: readonly string[];
  readonly ownTimeout: boolean;
  readonly untargeted: boolean;
}

/** Returns the row of one spelling, derived from the declaration alone. */
export function commandRow(method: MethodName, spec: CommandSpec, form: CliForm): CommandRow {
  return {
    method,
    ...present(spec, ["area", "summary", "details"]),
    ...present(form, [
      "name",
      "summary",
      "note",
      "tail",
      "instead",
      "clientArg",
      "stdin",
      "print",
      "columns",
      "hidden",
    ]),
    params: paramRows(spec, form),
    ...(form.local === undefined ? {} : { local: form.local.map((name) => localOptions[name]) }),
    rest: form.rest === true,
    preset: form.preset ?? {},
    examples: form.examples ?? [],
    fields: resultFields(spec.result),
    ownTimeout: spec.ownTimeout === true,
    untargeted: spec.untargeted === true,
  };
}

/** An operation as plain data, for the command line. */
export interface OperationRow {
  readonly name: OperationName;
  readonly summary: string;
  readonly details: string;
  readonly cli?: Omit<OperationCliForm, "args" | "absent" | "paths" | "defaults"> & {
    /** Those by position first, in their order. */
    readonly params: readonly ParamRow[];
    readonly examples: readonly string[];
  };
  /** It acts on one session. */
  readonly inSession: boolean;
}

/** Returns the row of an operation, derived from its declaration alone. */
export function operationRow(name: OperationName, spec: OperationSpec): OperationRow {
  const { summary, details = "", http, cli } = spec;
  const row = { name, summary, details, inSession: pathParams(http.path).includes("session") };
  if (cli === undefined) return row;
  const { args = [], absent = [], paths = [], defaults = {}, examples = [], ...form } = cli;
  // The session is an option of every command, unless it is an argument by position.
  const left = new Set([...absent, ...(row.inSession && !args.includes("session") ? ["session"] : [])]);
  const own = z.object(Object.fromEntries(Object.entries(spec.params.shape).filter(([param]) => !left.has(param))));
  const params = paramRows({ params: own }, { args, paths }).map((param) => {
    const preset = defaults[param.name];
    return preset === undefined ? param : { ...param, default: preset };
  });
  return { ...row, cli: { ...form, params, examples } };
}

/** Returns the fields of an object that it has, of those named. */
function present<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]])) as Pick<
    T,
    K
  >;
}

/** `keyA` as the specification names arguments: `key_a`. */
function argumentWord(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `maxBytes` as an option: `max-bytes`. */
function optionWord(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The parameters of a declaration as the command line takes them: those by position first. */
export function paramRows(
  spec: Pick<CommandSpec, "params">,
  form: Pick<CliForm, "args" | "preset" | "instead" | "json" | "paths">,
): ParamRow[] {
  const schema = z.toJSONSchema(spec.params, { io: "input", unrepresentable: "any" });
  const properties = schema.properties ?? {};
  const args = form.args ?? [];
  const fixed = new Set(Object.keys(form.preset ?? {}));
  const options = Object.keys(properties).filter((name) => !args.includes(name) && !fixed.has(name));
  return [...args, ...options].map((name) => {
    const byPosition = args.includes(name);
    const property = properties[name];
    const known = typeof property === "object" ? property : {};
    const choices = known.enum?.map(String);
    return {
      name,
      word: byPosition ? argumentWord(name) : optionWord(name),
      byPosition,
      required: schema.required?.includes(name) === true || form.instead?.[name] !== undefined,
      kind: declaredKind(form, name) ?? kindOf(withoutNull(known)),
      ...(isNullable(known) ? { nullable: true } : {}),
      ...(choices === undefined ? {} : { choices }),
      ...(isScalar(known.default) ? { default: known.default } : {}),
      description: known.description ?? "",
    };
  });
}

function declaredKind(form: Pick<CliForm, "json" | "paths">, name: string): ParamRow["kind"] | undefined {
  if (form.json?.includes(name) === true) return "json";
  return form.paths?.includes(name) === true ? "path" : undefined;
}

function kindOf({ type, items, additionalProperties }: JsonSchema): ParamRow["kind"] {
  switch (type) {
    case "array":
      return isText(items) ? "words" : "text";
    case "object":
      return isText(additionalProperties) ? "pairs" : "text";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    default:
      return "text";
  }
}

/** The schema of a value that may be null as well, without the null. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const value = schema.anyOf?.find((one) => !isNull(one));
  return isNullable(schema) && typeof value === "object" && value !== null ? { ...value } : schema;
}

function isNullable({ anyOf = [] }: JsonSchema): boolean {
  return anyOf.some(isNull);
}

function isNull(schema: unknown): boolean {
  return typeof schema === "object" && schema !== null && "type" in schema && schema.type === "null";
}

function isText(schema: unknown): boolean {
  return typeof schema === "object" && schema !== null && "type" in schema && schema.type === "string";
}

function isScalar(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
