import { z } from "zod";
import { TileKey } from "../protocol/ids.ts";
import { LONGEST_WAIT_TIMEOUT_MS } from "../protocol/limits.ts";

/** Parameters that several commands share, with one meaning. */
export const tileTarget = TileKey.optional().describe(
  "key of the tile; default: the tile of the shell you are in, else the focused tile",
);

export const focusNew = z.boolean().default(true).describe("give the new tile the focus");

export const waitSeconds = z
  .number()
  .min(0.001)
  .max(LONGEST_WAIT_TIMEOUT_MS / 1000)
  .default(60)
  .describe("seconds to wait at most");

type Named<P extends z.ZodObject> = readonly Extract<keyof P["shape"], string>[];

/** Parameters of which exactly one must be given; a flag is given when it is true. Descriptions say so too. */
export function exactlyOneOf<P extends z.ZodObject>(params: P, names: Named<P>): P {
  return params
    .refine((given) => givenOf(given, names) === 1, {
      error: ({ input }) => `expected exactly one of ${listed(names)}, got ${givenOf(input, names)}`,
    })
    .meta({ oneOf: names.map((name) => givenSchema(params, [name])) });
}

/** Parameters of which no two may be given; a flag is given when it is true. Descriptions say so too. */
export function atMostOneOf<P extends z.ZodObject>(params: P, names: Named<P>): P {
  const pairs = names.flatMap((name, index) => names.slice(index + 1).map((other) => [name, other]));
  return params
    .refine((given) => givenOf(given, names) <= 1, {
      error: ({ input }) => `expected at most one of ${listed(names)}, got ${givenOf(input, names)}`,
    })
    .meta({ allOf: pairs.map((pair) => ({ not: givenSchema(params, pair) })) });
}

function givenOf(params: unknown, names: readonly string[]): number {
  const given: Readonly<Record<string, unknown>> = typeof params === "object" && params !== null ? { ...params } : {};
  return names.filter((name) => given[name] !== undefined && given[name] !== false).length;
}

/** JSON Schema of objects in which all of the names are given. */
function givenSchema(params: z.ZodObject, names: readonly string[]): Record<string, unknown> {
  const isFlag = (name: string) => params.shape[name]?.safeParse(true).success === true;
  const properties = Object.fromEntries(names.map((name) => [name, isFlag(name) ? { const: true } : {}]));
  return { required: names, properties };
}

function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(", "), names.at(-1)].filter((part) => part !== "").join(" and ");
}

/** A list that may also be given as one text: names separated by commas, or a JSON array. */
export function nameList<T extends z.ZodType>(list: z.ZodArray<T>) {
  return z.preprocess(namesFrom, list).meta({ type: ["array", "string"] });
}

function namesFrom(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (text === "") return [];
  return jsonList(text) ?? text.split(",").map((name) => name.trim());
}

function jsonList(text: string): unknown {
  if (!text.startsWith("[")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
