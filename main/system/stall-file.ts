import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** What `EventLoopWatch` writes about the stalls of a process. */
const StallFile = z.object({
  pid: z.int(),
  count: z.int(),
  longestMs: z.number(),
  /** The stall that lasts, with the stack of the main thread, innermost call first. */
  ongoing: z.object({ since: z.iso.datetime(), stack: z.array(z.string()) }).optional(),
});
type StallFile = z.infer<typeof StallFile>;

/** Returns the path of the file in a data folder. */
export function stallFile(data: string): string {
  return join(data, "stalls.json");
}

/** Reads the file; undefined where there is none, or none that is valid. */
export function readStalls(data: string): StallFile | undefined {
  try {
    return StallFile.safeParse(JSON.parse(readFileSync(stallFile(data), "utf8"))).data;
  } catch {
    return undefined;
  }
}

/** Removes the file, and returns what the process that wrote it did when it was ended; undefined if it did not hang. */
export function takeLastStall(data: string): StallFile["ongoing"] {
  const last = readStalls(data)?.ongoing;
  rmSync(stallFile(data), { force: true });
  return last;
}
