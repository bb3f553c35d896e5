import { z } from "zod";
import { isDeeperThan } from "../../../core/protocol/json-depth.ts";

/** Maximum length of a message as JSON. */
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
 * Parses a message from a plugin's page; undefined if it is invalid. Pages can send more than JSON (cycles, maps, buffers),
 * so the message is first serialized to bounded JSON.
 */
export function readPluginMessage(data: unknown): PluginMessage | undefined {
  try {
    if (isDeeperThan(data, MAX_DEPTH)) return undefined;
    const text = JSON.stringify(data);
    return text.length > MAX_LENGTH ? undefined : PluginMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
