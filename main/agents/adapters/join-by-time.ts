import type { EndedProcess, JoinRequest } from "./adapter.ts";
import { fileFacts, readHead } from "./adapter-files.ts";

/** A transcript and the session in it. Times in ms. */
export interface SessionFile {
  readonly sessionId: string;
  readonly startedAt: number;
  readonly changedAt: number;
}

const HEAD_BYTES = 4096;
/** The clock of the transcript and that of the process may differ by this much. */
const SLACK_MS = 300;

/** Returns a function that reads a transcript's session and start from its beginning, which does not change. */
export function heads(
  sessionId: RegExp,
  startedAt: RegExp,
): (path: string) => (SessionFile & { readonly text: string }) | undefined {
  const known = new Map<string, Head>();
  return (path) => {
    const facts = fileFacts(path);
    if (facts === undefined) return undefined;
    const head = known.get(path) ?? read(path);
    if (head !== undefined) known.set(path, head);
    return head && { ...head, changedAt: facts.changedAt };
  };

  function read(path: string): Head | undefined {
    const text = readHead(path, HEAD_BYTES);
    const id = sessionId.exec(text)?.[1];
    const at = Date.parse(startedAt.exec(text)?.[1] ?? "");
    return id === undefined || Number.isNaN(at) ? undefined : { sessionId: id, startedAt: at, text };
  }
}

/** `text`: the beginning of the transcript. */
interface Head extends Pick<SessionFile, "sessionId" | "startedAt"> {
  readonly text: string;
}

/**
 * Returns the session that a process began: the first one of its folder that began after it. An agent that is alone in its
 * folder is followed to a session that began after the known one (`/clear`, `/new`).
 */
export function beganAfter(
  { launchedAt, taken, seenIn, alone, aloneSince = 0 }: JoinRequest,
  files: () => readonly SessionFile[],
  known: string | undefined,
): string | undefined {
  if (known !== undefined && !alone) return known;
  const all = files();
  const knownAt = all.find(({ sessionId }) => sessionId === known)?.startedAt;
  // A session of the folder that is younger than a resumed one is not this process's, unless it began after the process.
  const from = Math.max(launchedAt - SLACK_MS, knownAt === undefined ? 0 : Math.max(knownAt + 1, aloneSince));
  const began = all
    .filter(({ sessionId, startedAt }) => startedAt >= from && !taken(sessionId) && seenIn?.(sessionId) !== "elsewhere")
    .sort((one, other) => one.startedAt - other.startedAt);
  return (known === undefined ? began[0] : began.at(-1))?.sessionId;
}

/** Returns the session that grew since the process was launched, the last one of several. */
export function grownSince(
  { launchedAt, taken, known }: JoinRequest,
  files: () => readonly SessionFile[],
): string | undefined {
  if (known !== undefined) return undefined;
  return files()
    .filter(({ sessionId, changedAt }) => changedAt >= launchedAt && !taken(sessionId))
    .sort((one, other) => other.changedAt - one.changedAt)[0]?.sessionId;
}

/** Returns the sessions that began while an ended process ran, or grew if it continued one. */
export function sessionDuring(
  { launchedAt, endedAt, inaccuracy, taken }: EndedProcess,
  files: readonly SessionFile[],
  continues: boolean,
): string[] {
  return files.flatMap(({ sessionId, startedAt, changedAt }) => {
    const at = continues ? changedAt : startedAt;
    const inTime = at >= launchedAt - inaccuracy && at <= endedAt + inaccuracy;
    return inTime && !taken(sessionId) ? [sessionId] : [];
  });
}
