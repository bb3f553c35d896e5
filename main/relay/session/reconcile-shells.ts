import type { SessionId } from "../../../core/protocol/ids.ts";
import type { Shell } from "../../../core/protocol/records.ts";
import type { KeptShell } from "../../../core/protocol/shell-host.ts";
import { namedExit } from "../../system/signal-names.ts";
import type { ShellRows } from "../store/shell-rows.ts";

/** Ended shells that are still listed at the next start, besides those that ended since; older ones are forgotten. */
const ENDED_SHELLS_KEPT = 50;

export interface ReconciledShells {
  /** All shells that stay listed. */
  readonly shells: Shell[];
  /** Shells that ran when the store was last written and have ended since. */
  readonly ended: Shell[];
  /** Those of `ended` whose shell host is gone: how they ended is unknown, and their output is lost. */
  readonly orphaned: Shell[];
  /** Shells in the shell host that were never listed: the relay was interrupted before it stored them. */
  readonly unlisted: number[];
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
  for (const shell of ended) rows.put(session, shell);
  const listed = new Set<number>(shells.map((shell) => shell.id));
  return {
    shells,
    ended,
    orphaned: ended.filter((shell) => !held.has(shell.id)),
    unlisted: [...held.keys()].filter((id) => !listed.has(id)),
  };
}

function withCurrentState(shell: Shell, held: KeptShell | undefined): Shell {
  if (held === undefined) return { ...shell, running: false, pid: null, process: null };
  const { cwd, cols, rows, exit } = held;
  const title = shell.titleFixed === true || held.title === "" ? shell.title : held.title;
  const activeAt = new Date(held.activeAt).toISOString();
  const now = { ...shell, title, cwd, cols, rows, activeAt };
  if (exit !== null) return { ...now, running: false, pid: null, process: null, ...namedExit(exit) };
  return { ...now, pid: held.pid, process: held.process };
}
