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
