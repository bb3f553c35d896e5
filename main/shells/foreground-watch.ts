import { basename } from "node:path";
import { foregroundJob } from "../system/processes/terminal-session.ts";
import type { Shell } from "./shell.ts";

/** Delay after output, by which a new process has executed its program. */
const LOOK_AFTER_MS = 120;
/** The system is queried at most this often. */
const LOOK_EVERY_MS = process.platform === "linux" ? 500 : 2000;

/**
 * Reports changes of the foreground program of a shell; null when the shell waits at its prompt. The system is queried
 * only after output, because every start and end of a command prints something.
 */
export function watchForeground(shell: Shell, tell: (process: string | null) => void): void {
  let told: string | null | undefined;
  let due = false;
  let lastLook = Number.NEGATIVE_INFINITY;
  const look = async () => {
    due = false;
    lastLook = performance.now();
    const now = await foregroundOf(shell);
    if (shell.exit !== null || now === told) return;
    told = now;
    tell(now);
  };
  shell.onFlush(() => {
    if (due || shell.exit !== null) return;
    due = true;
    shell.after(Math.max(LOOK_AFTER_MS, lastLook + LOOK_EVERY_MS - performance.now()), () => void look());
  });
}

async function foregroundOf(shell: Shell): Promise<string | null> {
  const job = await foregroundJob(shell.pid);
  if (job === undefined) return null;
  if (!job.isShell) return job.name;
  // The shell itself runs loops and functions. A program in place of a shell has no prompt.
  return shell.direct || shell.tracker.state === "running" ? basename(shell.program) : null;
}
