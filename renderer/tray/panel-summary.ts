import type { MachineOverview } from "../../core/protocol/machines.ts";
import { isOpen } from "../../core/protocol/questions.ts";
import { type Waiting, waitingFor } from "../../core/protocol/waiting.ts";
import type { PanelContent, PanelSession } from "../../preload/channels.ts";
import { questionKey } from "./inbox-items.ts";
import { isUsable } from "./machine-state.ts";

type Counted = Pick<PanelContent, "sessions" | "logins" | "costToday" | "budgets">;

/**
 * Counts what waits for the user: in the sessions what their windows and the tray count too, logins, a budget that is
 * exceeded, and the open questions of machines that can be asked. A question that is reached in two ways counts once.
 */
export function waitingCount(content: Counted, remotes: readonly MachineOverview[] = []): number {
  const waiting = content.sessions.flatMap((session) =>
    waitingIn(session).map((one) => ({ session: session.id, ...one })),
  );
  const here = new Set(
    waiting.flatMap((one) => (one.kind === "question" ? questionKey({ ...one, id: one.question }) : [])),
  );
  const there = remotes
    .filter(isUsable)
    .flatMap(({ questions }) => questions.map(({ question }) => question))
    .filter(isOpen)
    .map(questionKey)
    .filter((key) => !here.has(key));
  const budgets = overBudget(content) === undefined ? 0 : 1;
  return waiting.length + new Set(there).size + content.logins.length + budgets;
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
