import { z } from "zod";
import { RemoteError } from "./errors.ts";
import { isRecord } from "./json-value.ts";

/** A body of a megabyte has room for 350,000; the longest batch that an agent's exporter sends has 20,000. */
const MOST_NODES = 30_000;

/**
 * Parses parameters by their declaration. Accepts names in camelCase (`keyA`) and in the specification's snake_case
 * (`key_a`).
 * @throws RemoteError `invalid_params` with the path of the first error, the expected value and the actual one
 */
export function parseParams<P extends z.ZodObject>(schema: P, params: unknown, at = "params"): z.output<P> {
  checkEntries(params, at);
  const known = strict(schema);
  const given = withCamelCase(schema, params);
  const parsed = known.safeParse(given);
  if (parsed.success) {
    checkSpan(parsed.data, at);
    return parsed.data as z.output<P>;
  }
  // Parsed again for the input of the issue: with an option, every parameter of every command would take twice as long.
  const [issue] = known.safeParse(given, { reportInput: true }).error?.issues ?? [];
  throw refused(issue === undefined ? `${at}: not valid.` : issueMessage(schema, issue, at));
}

/**
 * Refuses what a schema would take long to check, or would leave out without a word: many lists and objects, of which each
 * costs some microseconds, and an own entry `__proto__`, which JSON.parse makes. In what an agent asks that would be neither
 * shown nor a part of the digest, and yet be there for the agent's tool.
 */
function checkEntries(params: unknown, at: string): void {
  const left = [params];
  let nodes = 0;
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== "object" || value === null) continue;
    nodes += 1;
    if (nodes > MOST_NODES) throw refused(`${at}: expected at most ${MOST_NODES} lists and objects in all.`);
    if (Object.hasOwn(value, "__proto__")) throw refused(`${at}: no entry may be called __proto__.`);
    for (const inner of Object.values(value)) if (typeof inner === "object" && inner !== null) left.push(inner);
  }
}

/**
 * Refuses a span that ends before it begins: nothing is in it, which looks as if nothing was found. Both ends are timestamps
 * by now, which sort as text.
 */
function checkSpan({ since, until }: Readonly<Record<string, unknown>>, at: string): void {
  if (typeof since === "string" && typeof until === "string" && since > until) {
    throw refused(`${at}.since: expected a time before \`until\` (${until}), got ${since}.`);
  }
}

function refused(message: string): RemoteError {
  return new RemoteError("invalid_params", message);
}

const strictOf = new WeakMap<z.ZodObject, z.ZodObject>();

/** Returns the schema without unknown keys (cached): a misspelt parameter must not be ignored silently. */
function strict(schema: z.ZodObject): z.ZodObject {
  let known = strictOf.get(schema);
  if (known === undefined) {
    known = schema.strict();
    strictOf.set(schema, known);
  }
  return known;
}

function withCamelCase(schema: z.ZodObject, params: unknown): unknown {
  if (!isRecord(params)) return params;
  let renamed: Record<string, unknown> | undefined;
  for (const key of Object.keys(params)) {
    if (!key.includes("_") || Object.hasOwn(schema.shape, key)) continue;
    const camel = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (!Object.hasOwn(schema.shape, camel) || Object.hasOwn(params, camel)) continue;
    renamed ??= { ...params };
    delete renamed[key];
    renamed[camel] = params[key];
  }
  return renamed ?? params;
}

function issueMessage(schema: z.ZodObject, issue: z.core.$ZodIssue, at: string): string {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    const known = Object.keys(schema.shape);
    const [key = ""] = issue.keys;
    const none = at === "params" ? "this method takes none" : "none are taken here";
    const names = known.length === 0 ? none : `expected one of ${known.join(", ")}`;
    return `${[at, ...path, printable(key)].join(".")}: no such parameter; ${names}.`;
  }
  const where = [at, ...path].join(".");
  const expected = hasOwnMessage(issue) ? undefined : expectation(schema, path);
  if (expected === undefined) return `${where}: ${issue.message}.`;
  // JSON numbers beyond this are rounded: the one that was sent is unknown.
  const isTooLarge = Number.isInteger(issue.input) && !Number.isSafeInteger(issue.input);
  if (Array.isArray(issue.input) && issue.code === "too_big")
    return `${where}: expected at most ${issue.maximum} of them, got ${issue.input.length}.`;
  const got = isTooLarge ? `one beyond ${Number.MAX_SAFE_INTEGER}` : printable(issue.input);
  return `${where}: expected ${expected}, got ${got}.`;
}

/** Returns whether the declaration itself says what it expects, as it does for most formats. */
function hasOwnMessage({ code, message }: z.core.$ZodIssue): boolean {
  return code === "custom" || (code === "invalid_format" && !message.startsWith("Invalid "));
}

/** Describes the value expected at a path; undefined if the parser's own message says more. */
function expectation(schema: z.ZodObject, path: readonly string[]): string | undefined {
  if (path.length === 0) return "an object of parameters";
  const property = schema.shape[path[0] ?? ""];
  if (property === undefined) return undefined;
  const wire = z.toJSONSchema(property as z.ZodType, { io: "input", unrepresentable: "any" });
  return describeSchema(
    path.slice(1).reduce<JsonSchema | undefined>((inner, step) => stepInto(inner, step), wire as JsonSchema),
  );
}

/** Descriptions of a text by its format. */
const FORMATS: ReadonlyMap<string | undefined, string> = new Map([
  ["uri", "a web address"],
  ["date-time", "a time such as 2026-01-31T09:00:00Z"],
]);

interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  format?: string;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  anyOf?: JsonSchema[];
}

function stepInto(schema: JsonSchema | undefined, step: string): JsonSchema | undefined {
  return schema?.items ?? schema?.properties?.[step];
}

function describeSchema(schema: JsonSchema | undefined): string | undefined {
  if (schema === undefined) return undefined;
  if (schema.anyOf?.length === 2) {
    const [value, other] = schema.anyOf.map((one) => (one.type === "null" ? "null" : describeSchema(one)));
    return value === undefined || other === undefined ? undefined : `${value}, or ${other}`;
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return `one of ${schema.enum.map(String).join(", ")}`;
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "number":
      return `a number${schema.exclusiveMinimum === undefined ? range(schema) : above(schema)}`;
    case "integer":
      return `a whole number${range(schema)}`;
    case "boolean":
      return "true or false";
    case "string":
      return `${FORMATS.get(schema.format) ?? "text"}${textLength(schema)}`;
    case "array":
      return "a list";
    case "object":
      return "an object";
    default:
      return undefined;
  }
}

function range({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1);
  const low = least === undefined || least <= Number.MIN_SAFE_INTEGER ? undefined : least;
  const high = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`;
  if (low !== undefined) return ` of at least ${low}`;
  return high === undefined ? "" : ` of at most ${high}`;
}

/** Of numbers that need not be whole: the bound itself is not allowed. */
function above({ exclusiveMinimum, maximum }: JsonSchema): string {
  return ` above ${exclusiveMinimum}${maximum === undefined ? "" : ` and at most ${maximum}`}`;
}

function textLength({ minLength, maxLength }: JsonSchema): string {
  if (maxLength !== undefined) return ` of ${minLength ?? 0} to ${maxLength} characters`;
  return minLength === undefined ? "" : ` of at least ${minLength} character${minLength === 1 ? "" : "s"}`;
}

/** Formats a value for a message: one short line without control characters. */
function printable(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (isRecord(value)) return "an object";
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return "a number beyond all bounds";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 56)}…"` : text;
}
