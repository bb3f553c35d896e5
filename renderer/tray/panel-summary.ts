import type { MachineOverview } from "../../core/protocol/machines.ts";
import { type Waiting, waitingFor } from "../../core/protocol/waiting.ts";
import { countElsewhere, openElsewhere } from "../../core/protocol/waiting-elsewhere.ts";
import type { PanelContent, PanelSession } from "../../preload/channels.ts";

type Counted = Pick<PanelContent, "sessions" | "logins" | "costToday" | "budgets">;

/**
 * Counts what waits for the user: in the sessions what their windows and the tray count too, logins, a budget that is
 * exceeded, and the open questions of machines that can be asked. A question that is reached in two ways counts once.
 */
export function waitingCount(content: Counted, remotes: readonly MachineOverview[] = []): number {
  const here = content.sessions.flatMap((session) => waitingIn(session)).length;
  const there = countElsewhere(openElsewhere(remotes), content.sessions);
  const budgets = overBudget(content) === undefined ? 0 : 1;
  return here + there + content.logins.length + budgets;
}

/** Lists what waits for the user in a session. */
export function waitingIn(session: PanelSession): readonly Waiting[] {
  return waitingFor(
    session,
    session.clients.find(({ id }) => id === session.self),
  );
}

/** Reports whether the agent in a shell waits for the user: with a question, or in its terminal. */
export function agentWaits(session: PanelSession, shell: number): boolean {
  return waitingIn(session).some((one) => (one.kind === "question" || one.kind === "agent") && one.shell === shell);
}

/** Returns by how many US dollars today's budget is exceeded; undefined while it is not. */
export function overBudget({ costToday, budgets }: Pick<PanelContent, "costToday" | "budgets">): number | undefined {
  const over = budgets.day === null ? 0 : costToday - budgets.day;
  return over > 0 ? over : undefined;
}

/** Returns the name of a shell of a session; undefined if the shell is gone. */
export function shellNameIn({ shells }: Pick<PanelSession, "shells">, id: number): string | undefined {
  return shells.find((shell) => shell.id === id)?.name;
}
