import { statSync } from "node:fs";
import { z } from "zod";
import { readRegularFile } from "../system/regular-files.ts";

/** Room for thousands of prices. */
const MAX_BYTES = 1024 * 1024;

const perMillionTokens = z.number().min(0).max(1_000_000);

/**
 * One entry of the user's price file. `match` is a model's id, or the beginning of one followed by `*`. Prices are US
 * dollars per million tokens; a cache price that is not given is the input price.
 */
export const PriceOverride = z.strictObject({
  provider: z.enum(["anthropic", "openai", "google"]).or(z.string().min(1)),
  match: z.string().min(1),
  prices: z.strictObject({
    input: perMillionTokens,
    output: perMillionTokens,
    cacheRead: perMillionTokens.optional(),
    cacheWrite: perMillionTokens.optional(),
    cacheWrite1h: perMillionTokens.optional(),
  }),
});
export type PriceOverride = z.infer<typeof PriceOverride>;

const PriceOverrides = z.array(PriceOverride);

/**
 * Reads the user's prices, again after each change of the file. An invalid file counts as empty and is logged once per
 * change.
 */
export function watchPriceOverrides(
  path: string | undefined,
  log: (message: string, fields?: object) => void,
): () => readonly PriceOverride[] {
  let stamp = "";
  let checkedAt = 0;
  let overrides: readonly PriceOverride[] = [];
  return () => {
    if (path === undefined) return overrides;
    const now = performance.now();
    if (stamp !== "" && now - checkedAt < 1000) return overrides;
    checkedAt = now;
    const current = stampOf(path);
    if (current !== stamp) {
      stamp = current;
      overrides = current === "absent" ? [] : readOverrides(path, log);
    }
    return overrides;
  };
}

function readOverrides(path: string, log: (message: string, fields?: object) => void): readonly PriceOverride[] {
  try {
    const parsed = PriceOverrides.safeParse(JSON.parse(readRegularFile(path, MAX_BYTES).toString("utf8")));
    if (parsed.success) return parsed.data;
    log("price overrides ignored: the file has a mistake", { path, mistake: z.prettifyError(parsed.error) });
  } catch (error) {
    log("price overrides ignored: the file is not readable JSON", { path, mistake: String(error) });
  }
  return [];
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "absent" : `${stat.mtimeMs}:${stat.size}:${stat.ino}`;
}
