import { z } from "zod";
import { TileKey } from "../protocol/ids.ts";
import { jsonOrUndefined } from "../protocol/json-value.ts";
import { MAX_WAIT_TIMEOUT_MS } from "../protocol/limits.ts";
import { ExpectedProgram } from "../protocol/receipts.ts";

/** Parameters that several commands share, with one meaning. */
export const tileTarget = TileKey.optional().describe(
  "key of the tile; default: the tile of the shell you are in, else the focused tile",
);

export const focusNew = z.boolean().default(true).describe("give the new tile the focus");

export const pluginId = z.string().min(1).max(64).describe("id of the plugin");
export const stateKey = z.string().min(1).max(200).describe("name of the value");

export const waitSeconds = z
  .number()
  .min(0.001)
  .max(MAX_WAIT_TIMEOUT_MS / 1000)
  .default(60)
  .describe("seconds to wait at most");

/** How a program's input is guarded (docs/sends.md). */
export const guarded = {
  guard: z
    .boolean()
    .optional()
    .describe(
      "write nothing while a question, a person's unsent text, another program or the terminal's mode is in the way; default: for programs, in another shell than their own",
    ),
  expect: ExpectedProgram.optional().describe(
    "program that must be in front: `shell` for the prompt, the kind of an agent, or a regular expression for its name",
  ),
};

type ParamNames<P extends z.ZodObject> = readonly Extract<keyof P["shape"], string>[];

/** Requires exactly one of the parameters; a flag counts when it is true. Adds the rule to the JSON Schema too. */
export function exactlyOneOf<P extends z.ZodObject>(params: P, names: ParamNames<P>): P {
  return params
    .refine((given) => countGiven(given, names) === 1, {
      error: ({ input }) => `expected exactly one of ${listed(names)}, got ${countGiven(input, names)}`,
    })
    .meta({ oneOf: names.map((name) => requiredSchema(params, [name])) });
}

/** Requires at most one of the parameters; a flag counts when it is true. Adds the rule to the JSON Schema too. */
export function atMostOneOf<P extends z.ZodObject>(params: P, names: ParamNames<P>): P {
  const pairs = names.flatMap((name, index) => names.slice(index + 1).map((other) => [name, other]));
  return params
    .refine((given) => countGiven(given, names) <= 1, {
      error: ({ input }) => `expected at most one of ${listed(names)}, got ${countGiven(input, names)}`,
    })
    .meta({ allOf: pairs.map((pair) => ({ not: requiredSchema(params, pair) })) });
}

function countGiven(params: unknown, names: readonly string[]): number {
  const given: Readonly<Record<string, unknown>> = typeof params === "object" && params !== null ? { ...params } : {};
  return names.filter((name) => given[name] !== undefined && given[name] !== false).length;
}

/** Returns the JSON Schema of objects that contain all of the names. */
function requiredSchema(params: z.ZodObject, names: readonly string[]): Record<string, unknown> {
  const isFlag = (name: string) => params.shape[name]?.safeParse(true).success === true;
  const properties = Object.fromEntries(names.map((name) => [name, isFlag(name) ? { const: true } : {}]));
  return { required: names, properties };
}

function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(", "), names.at(-1)].filter((part) => part !== "").join(" and ");
}

/** Accepts a list, or a string with comma-separated names or a JSON array. */
export function nameList<T extends z.ZodType>(list: z.ZodArray<T>) {
  return z.preprocess(parseNames, list).meta({ type: ["array", "string"] });
}

function parseNames(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (text === "") return [];
  return (text.startsWith("[") ? jsonOrUndefined(text) : undefined) ?? text.split(",").map((name) => name.trim());
}
