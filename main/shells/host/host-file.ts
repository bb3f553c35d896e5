import { readFileSync, rmSync } from "node:fs";
import { z } from "zod";
import { writeAtomically } from "../../system/write-atomically.ts";

/** How a relay finds the process that holds the shells of its data folder. Mode 0600: who reads it may have the shells. */
export const HostFile = z.object({
  pid: z.int().positive(),
  /** Tells the process from a later one with its number; null where the system does not tell. */
  startedAt: z.string().nullable(),
  socket: z.string(),
  secret: z.string(),
});
export type HostFile = z.infer<typeof HostFile>;

/** Undefined when there is none, or nothing that can be read. */
export function readHostFile(file: string): HostFile | undefined {
  try {
    return HostFile.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch {
    return undefined;
  }
}

/** Writes it in one step; answers how to take it back, which leaves another host's file alone. */
export function writeHostFile(file: string, host: HostFile): () => void {
  writeAtomically(file, `${JSON.stringify(host, null, 2)}\n`);
  return () => {
    if (isOwn(file, host)) rmSync(file, { force: true });
  };
}

/** Whether the file is still that of this host. */
export function isOwn(file: string, { secret }: HostFile): boolean {
  return readHostFile(file)?.secret === secret;
}
