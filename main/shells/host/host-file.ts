import { readFileSync, rmSync } from "node:fs";
import { z } from "zod";
import { writeAtomically } from "../../system/write-atomically.ts";

/**
 * Where the relay finds the shell host of its data folder. Mode 0600, because the secret gives access to the shells.
 */
export const HostFile = z.object({
  pid: z.int().positive(),
  /** Distinguishes the process from a later one with the same id; null where the system does not report it. */
  startedAt: z.string().nullable(),
  socket: z.string(),
  secret: z.string(),
});
export type HostFile = z.infer<typeof HostFile>;

/** Undefined when the file does not exist or is not valid. */
export function readHostFile(file: string): HostFile | undefined {
  try {
    return HostFile.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch {
    return undefined;
  }
}

/** Writes the file atomically. Returns a function that removes it, unless another host has replaced it. */
export function writeHostFile(file: string, host: HostFile): () => void {
  writeAtomically(file, `${JSON.stringify(host, null, 2)}\n`);
  return () => {
    if (isOwnHostFile(file, host)) rmSync(file, { force: true });
  };
}

/** Whether the file still names this host. */
export function isOwnHostFile(file: string, { secret }: HostFile): boolean {
  return readHostFile(file)?.secret === secret;
}
