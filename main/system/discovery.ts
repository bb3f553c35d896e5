import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { RelayFile } from "../../core/protocol/relay-file.ts";
import { isAlive } from "./processes/is-alive.ts";
import { readRegularFile } from "./regular-files.ts";
import { writeAtomically } from "./write-atomically.ts";

const MAX_BYTES = 64 * 1024;

/** Announces the relay's address to this user's programs (docs/decisions/0001). Returns a function that withdraws it. */
export function announce(file: string, relay: RelayFile): () => void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeAtomically(file, `${JSON.stringify(relay, null, 2)}\n`, { synced: false });
  return () => {
    // Another relay may have started since: its announcement stays.
    if (isSameRun(readAnnouncement(file), relay)) rmSync(file, { force: true });
  };
}

/** Whether the file announces another relay in place of this one. */
export function isClaimedByAnother(file: string, relay: RelayFile): boolean {
  const announced = readAnnouncement(file);
  return announced !== undefined && !isSameRun(announced, relay);
}

/** The process id alone is ambiguous: in a container every relay is process 1. */
function isSameRun(announced: RelayFile | undefined, { pid, startedAt }: RelayFile): boolean {
  return announced?.pid === pid && announced.startedAt === startedAt;
}

/** The relay announced in this file, running or not; undefined when there is none. */
export function readAnnouncement(file: string): RelayFile | undefined {
  try {
    return RelayFile.safeParse(JSON.parse(readRegularFile(file, MAX_BYTES).toString("utf8"))).data;
  } catch {
    return undefined;
  }
}

/** Whether the relay at this address answers within 2 s. */
export async function answersAt(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/v1/health`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
  return answer?.ok === true;
}

/** Whether the file announces another running relay. */
export function isAnnouncedByAnother(file: string): boolean {
  const other = readAnnouncement(file);
  return other !== undefined && other.pid !== process.pid && isAlive(other.pid);
}
