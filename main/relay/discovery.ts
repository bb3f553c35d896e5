import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { RelayFile } from "../../core/protocol/relay-file.ts";

/** Tells other programs of this user where the relay is (decisions.md §0). Answers how to take it back. */
export function announce(file: string, relay: RelayFile): () => void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(relay, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return () => {
    // Another relay may have started since: its announcement stays.
    if (existsSync(file) && readAnnouncement(file)?.pid === relay.pid) rmSync(file, { force: true });
  };
}

function readAnnouncement(file: string): RelayFile | undefined {
  try {
    return RelayFile.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch {
    return undefined;
  }
}

/** The relay that says there that it runs, if it is alive and answers: a process id alone may be another program's. */
export async function runningRelayAt(file: string): Promise<RelayFile | undefined> {
  const relay = readAnnouncement(file);
  if (relay === undefined || relay.pid === process.pid || !isAlive(relay.pid)) return undefined;
  const answer = await fetch(`${relay.url}/v1/health`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
  return answer?.ok === true ? relay : undefined;
}

/** Whether another relay that is alive says there that it runs. */
export function isAnnouncedByAnother(file: string): boolean {
  const other = readAnnouncement(file);
  return other !== undefined && other.pid !== process.pid && isAlive(other.pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
