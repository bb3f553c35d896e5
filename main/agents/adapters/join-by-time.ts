import { type EndedProcess, type JoinedSession, type JoinRequest, NO_SESSION } from "./adapter.ts";
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
/** Older sessions that are looked for at once, those that grew last: a program can write into thousands. */
const MOST_GROWN = 5;

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

/** A session of a process, and whether it is certain. */
type FoundSession = Pick<JoinedSession, "sessionId" | "assumed" | "insteadOf">;

/**
 * Returns the session that a process works on, of those of its folder: one that its terminal was proven to show, or else the
 * first that began after the process while no other agent of its kind could have begun it. An agent is followed to a later
 * session (`/clear`, `/new`) by the same rule, and what was assumed is looked at again each time. To an older one
 * (`/resume`) it is followed by proof alone, even from one that is proven.
 * @returns `NO_SESSION` where the known one turns out to be another's
 */
export function beganAfter(
  request: JoinRequest,
  files: () => readonly SessionFile[],
): FoundSession | typeof NO_SESSION | undefined {
  const { launchedAt, known, taken, seenIn, shownIn, aloneAt } = request;
  const all = files();
  const own = all.filter(({ sessionId }) => sessionId === known?.sessionId);
  const knownAt = own[0]?.startedAt;
  // A session of the folder that is younger than a resumed one is not this process's, unless it began after the process.
  const from = Math.max(launchedAt - SLACK_MS, (knownAt ?? 0) + 1);
  const later = all
    .filter(({ sessionId, startedAt }) => startedAt >= from && sessionId !== known?.sessionId)
    .sort((one, other) => one.startedAt - other.startedAt);
  const refuted = known?.assumed === true && isRefuted(request, known.sessionId, knownAt);
  const insteadOf = refuted && known !== undefined ? { insteadOf: known.sessionId } : {};
  const older = all.filter(({ startedAt }) => startedAt < from);
  const resumed = resumedSince(request, older, Math.max(launchedAt, ...own.map(({ changedAt }) => changedAt)));
  const shown = later.findLast(({ sessionId }) => shownIn(sessionId) === "here");
  const [moved] = [resumed, shown].flatMap((one) => one ?? []).sort(lastGrownFirst);
  if (moved !== undefined) return { sessionId: moved.sessionId, ...insteadOf };
  if (known !== undefined && known.assumed !== true) return { sessionId: known.sessionId };
  const free = later.filter(
    ({ sessionId, startedAt }) =>
      aloneAt(startedAt) &&
      !taken(sessionId) &&
      seenIn?.(sessionId) !== "elsewhere" &&
      shownIn(sessionId) !== "elsewhere",
  );
  const guess = known === undefined ? free[0] : free.at(-1);
  if (guess !== undefined) return { sessionId: guess.sessionId, assumed: true, ...insteadOf };
  if (known === undefined) return undefined;
  if (refuted) return NO_SESSION;
  return { sessionId: known.sessionId, ...assumption(request, known.sessionId) };
}

/**
 * Returns the older session that a process has gone to (`/resume`): it grew since then, and its terminal was proven to show
 * what was said in it since then. Growth alone proves nothing: any program can continue it.
 * @param since - when the session that is known grew last, or else when the process was launched, in ms
 */
export function resumedSince(
  { known, taken, shownIn }: JoinRequest,
  older: readonly SessionFile[],
  since: number,
): SessionFile | undefined {
  const grown = older
    .filter((one) => one.changedAt > since && one.sessionId !== known?.sessionId && !taken(one.sessionId))
    .sort(lastGrownFirst);
  return grown.slice(0, MOST_GROWN).find(({ sessionId }) => shownIn(sessionId, since) === "here");
}

function lastGrownFirst(one: SessionFile, other: SessionFile): number {
  return other.changedAt - one.changedAt;
}

/** Returns `assumed` unless the process's terminal was proven to show the session. */
export function assumption({ shownIn }: JoinRequest, sessionId: string): Pick<JoinedSession, "assumed"> {
  return shownIn(sessionId) === "here" ? {} : { assumed: true };
}

/** Returns the session that the process's arguments name, which it is in at its start. */
export function named({ known }: JoinRequest, sessionId: string | undefined): FoundSession | undefined {
  return known === undefined && sessionId !== undefined ? { sessionId } : undefined;
}

/** Adds the data folder and the working directory to a session that was found. */
export function inFolder(
  { cwd }: JoinRequest,
  home: string,
  found: FoundSession | typeof NO_SESSION | undefined,
): JoinedSession | typeof NO_SESSION | undefined {
  return typeof found === "object" ? { ...found, home, cwd } : found;
}

/** Whether a session that was assumed is shown by another terminal, or can as well be another agent's that was found since. */
function isRefuted(
  { launchedAt, shownIn, aloneAt }: JoinRequest,
  sessionId: string,
  startedAt: number | undefined,
): boolean {
  const shown = shownIn(sessionId);
  if (shown !== undefined) return shown === "elsewhere";
  return startedAt !== undefined && startedAt >= launchedAt - SLACK_MS && !aloneAt(startedAt);
}

/** Returns the session that grew since the process was launched, the last one of several. */
export function grownSince(request: JoinRequest, files: () => readonly SessionFile[]): FoundSession | undefined {
  const { launchedAt, taken, known, shownIn, aloneAt } = request;
  if (known !== undefined) return undefined;
  const grown = files()
    .filter(({ sessionId, changedAt }) => {
      if (changedAt < launchedAt) return false;
      return shownIn(sessionId) === "here" || (aloneAt(changedAt) && !taken(sessionId));
    })
    .sort(lastGrownFirst)[0];
  return grown && { sessionId: grown.sessionId, ...assumption(request, grown.sessionId) };
}

/** Returns the sessions that began while an ended process ran, or grew if it continued one. */
export function sessionDuring(
  { launchedAt, endedAt, inaccuracy, taken, runsOn }: EndedProcess,
  files: readonly SessionFile[],
  continues: boolean,
): string[] {
  return files.flatMap(({ sessionId, startedAt, changedAt }) => {
    const at = continues ? changedAt : startedAt;
    const inTime = at >= launchedAt - inaccuracy && at <= endedAt + inaccuracy;
    return inTime && !(continues ? runsOn : taken)(sessionId) ? [sessionId] : [];
  });
}
