import { setTimeout as delay } from "node:timers/promises";
import { type ProcessEntry, sessionMembers } from "../system/processes/terminal-session.ts";

/** Time between SIGHUP and SIGKILL (docs/decisions/0007). */
const GRACE_MS = 3000;
const POLL_MS = 40;
const POLLS_TO_REPEAT = 10;

/**
 * Ends every process of the terminal session that a shell leads, its jobs in groups of their own included: SIGHUP to
 * all groups, SIGKILL after 3 s to what is left. Resolves when none is left.
 */
export async function endSession(shell: number): Promise<void> {
  const members = await sessionMembers(shell);
  signalGroups(shell, members, "SIGHUP");
  // A stopped job must continue to receive the hangup.
  signalGroups(shell, members, "SIGCONT");
  const deadline = performance.now() + GRACE_MS;
  for (let polls = 1; performance.now() < deadline; polls++) {
    const left = await sessionMembers(shell);
    if (left.length === 0) return;
    // bash can miss a hangup that arrives just before it begins to read; a real terminal would also close its input.
    if (polls % POLLS_TO_REPEAT === 0)
      signalGroups(
        shell,
        left.filter((member) => member.pid === shell),
        "SIGHUP",
      );
    await delay(POLL_MS);
  }
  for (let tries = 0; tries < 25; tries++) {
    const left = await sessionMembers(shell);
    if (left.length === 0) return;
    signalGroups(shell, left, "SIGKILL");
    await delay(POLL_MS);
  }
}

/** Kills every process of the terminal session that a shell leads. */
export async function killSession(shell: number): Promise<void> {
  signalGroups(shell, await sessionMembers(shell), "SIGKILL");
}

function signalGroups(shell: number, members: readonly ProcessEntry[], signal: NodeJS.Signals): void {
  // A shell that leads no session yet is in the group of this process.
  const targets = members.map(({ pid, group, session }) => (session === shell ? -group : pid));
  for (const target of new Set(targets)) {
    if (Math.abs(target) <= 1) continue;
    try {
      process.kill(target, signal);
    } catch {
      // The group has ended meanwhile.
    }
  }
}
