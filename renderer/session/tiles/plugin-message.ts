import { z } from "zod";

/** Maximum length of a message as JSON, in UTF-16 code units. */
const MAX_LENGTH = 64 * 1024;
const MAX_DEPTH = 32;

const key = z.string().min(1).max(200);
/** Already parsed from JSON. */
const anything = z.custom<z.core.util.JSONType>((value) => value !== undefined);

/** Messages from a plugin's page (docs/plugins.md). */
export const PluginMessage = z.discriminatedUnion("do", [
  z.strictObject({
    id: z.int(),
    do: z.literal("call"),
    method: z.string().max(100),
    params: z.record(z.string().max(100), anything),
  }),
  z.strictObject({ id: z.int(), do: z.literal("get"), key }),
  z.strictObject({ id: z.int(), do: z.literal("set"), key, value: anything }),
]);
export type PluginMessage = z.infer<typeof PluginMessage>;

/**
 * Parses a message from a plugin's page; undefined if it is invalid. Pages can send more than JSON (cycles, maps, buffers,
 * values that stand in many places), so the message is first serialized to bounded JSON.
 */
export function readPluginMessage(data: unknown): PluginMessage | undefined {
  try {
    if (lengthLeft(data, MAX_LENGTH, MAX_DEPTH) < 0) return undefined;
    const text = JSON.stringify(data);
    return text.length > MAX_LENGTH ? undefined : PluginMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * Returns how much of `most` a value leaves, negative if it is longer as JSON or nested deeper than `depth`. It counts at most
 * what JSON takes, and stops where nothing is left: a few lists that hold each other twice are gigabytes.
 */
function lengthLeft(value: unknown, most: number, depth: number): number {
  if (typeof value === "string") return most - value.length;
  if (typeof value !== "object" || value === null) return most - 1;
  if (value instanceof Date) return most - 1;
  const isList = Array.isArray(value);
  if (depth === 0 || (!isList && Object.getPrototypeOf(value) !== Object.prototype)) return -1;
  let left = isList ? most - value.length : most - 1;
  if (left < 0) return left;
  // `Object.entries` would first make a pair for each, however many there are.
  for (const name in value) {
    left = lengthLeft(value[name as keyof typeof value], isList ? left : left - name.length, depth - 1);
    if (left < 0) return left;
  }
  return left;
}
