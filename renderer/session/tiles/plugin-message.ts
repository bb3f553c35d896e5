import { z } from "zod";
import { isDeeperThan } from "../../../core/protocol/json-depth.ts";

/** A call's parameters, or a kept value, with what goes around them. */
const MAX_LENGTH = 64 * 1024;
const MAX_DEPTH = 32;

const key = z.string().min(1).max(200);
/** JSON by the time that it is parsed. */
const anything = z.custom<z.core.util.JSONType>((value) => value !== undefined);

/** What a plugin's page says over its port (docs/plugins.md). */
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
 * Reads a message of a plugin's page; undefined when it is none. What a page can send is more than JSON (cycles, maps,
 * buffers), so it is written as JSON first, within bounds.
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
