import { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import type { Shell } from "../../../core/protocol/records.ts";
import type { ShellEndCause } from "../../../core/protocol/restore.ts";
import type { KeptShell } from "../../../core/protocol/shell-host.ts";
import { namedExit } from "../../system/signal-names.ts";
import type { ShellRows } from "../store/shell-rows.ts";
import type { Store } from "../store/store.ts";

/** Ended shells that are still listed at the next start, besides those that ended since; older ones are forgotten. */
const ENDED_SHELLS_KEPT = 50;

interface ReconciledShells {
  /** All shells that stay listed. */
  readonly shells: Shell[];
  /** Shells that ran when the store was last written and have ended since. */
  readonly ended: Shell[];
  /** Those of `ended` whose shell host is gone: how they ended is unknown, and their output is lost. */
  readonly orphaned: Shell[];
  /** Shells in the shell host that were never listed: the relay was interrupted before it stored them. */
  readonly unlisted: number[];
}

/**
 * Lists shells that still run although the store has lost them, and the sessions that they belong to, so that nothing ends
 * them. Nobody owns them; an admin may.
 */
export function adoptLostShells(
  store: Pick<Store, "sessions" | "shells">,
  kept: readonly { readonly session: string; readonly shells: readonly KeptShell[] }[],
  owner: string,
): void {
  const known = new Set<string>(store.sessions.list().map(({ id }) => id));
  for (const { session: id, shells } of kept) {
    const { data: session } = SessionId.safeParse(id);
    const running = shells.filter(({ exit }) => exit === null);
    if (session === undefined || running.length === 0) continue;
    const createdAt = new Date().toISOString();
    // The default session is the oldest, and its shells know it by its id.
    const name = known.size === 0 ? "default" : "recovered";
    if (!known.has(id)) store.sessions.add({ id: session, name, owner, createdAt });
    known.add(id);
    const listed = new Set<number>(store.shells.list(session).map((shell) => shell.id));
    for (const shell of running) {
      if (!listed.has(shell.id)) store.shells.put(session, recordOf(shell, createdAt));
    }
    store.sessions.reserveShellIds(session, Math.max(...shells.map((shell) => shell.id)));
  }
}

function recordOf({ id, title, cwd, command, pid, process, cols, rows }: KeptShell, createdAt: string): Shell {
  return {
    id: ShellId.parse(id),
    title: title === "" ? command : title,
    cwd,
    command,
    pid,
    process,
    cols,
    rows,
    running: true,
    exitCode: null,
    signal: null,
    ownerClientId: null,
    owner: null,
    restricted: true,
    createdAt,
  };
}

/** Compares the stored shells of a session with those in the shell host, and stores the ends. */
export function reconcileShells(rows: ShellRows, session: SessionId, kept: readonly KeptShell[]): ReconciledShells {
  const held = new Map<number, KeptShell>(kept.map((shell) => [shell.id, shell]));
  const known = rows.list(session);
  const old = known.filter((shell) => !shell.running).slice(0, -ENDED_SHELLS_KEPT);
  for (const { id } of old) rows.remove(session, id);
  const shells = known
    .filter((shell) => !old.includes(shell))
    .map((shell) => (shell.running ? withCurrentState(shell, held.get(shell.id)) : shell));
  const ran = new Set(known.filter((shell) => shell.running).map((shell) => shell.id));
  const ended = shells.filter((shell) => ran.has(shell.id) && !shell.running);
  for (const shell of ended) {
    const { process = null } = known.find(({ id }) => id === shell.id) ?? {};
    rows.put(session, shell, { ending: { cause: endCause(shell, held.has(shell.id)), at: null, process } });
  }
  const listed = new Set<number>(shells.map((shell) => shell.id));
  return {
    shells,
    ended,
    orphaned: ended.filter((shell) => !held.has(shell.id)),
    unlisted: [...held.keys()].filter((id) => !listed.has(id)),
  };
}

/** Returns why a shell ended. A shell that a signal ends may report it by its exit code only. */
export function endCause(
  { exitCode, signal = null }: Pick<Shell, "exitCode" | "signal">,
  isKnown: boolean,
): Exclude<ShellEndCause, "stopped"> {
  if (!isKnown || exitCode === null) return "lost";
  return signal !== null || ENDING_SIGNALS.includes(exitCode - 128) ? "signal" : "exited";
}

/** SIGHUP, SIGKILL and SIGTERM, by which a system that shuts down ends programs. */
const ENDING_SIGNALS = [1, 9, 15];

function withCurrentState(shell: Shell, held: KeptShell | undefined): Shell {
  if (held === undefined) return { ...shell, running: false, pid: null, process: null };
  const { cwd, cols, rows, exit } = held;
  const title = shell.titleFixed === true || held.title === "" ? shell.title : held.title;
  const activeAt = new Date(held.activeAt).toISOString();
  const now = { ...shell, title, cwd, cols, rows, activeAt };
  if (exit !== null) return { ...now, running: false, pid: null, process: null, ...namedExit(exit) };
  return { ...now, pid: held.pid, process: held.process, commandLine: held.commandLine };
}
