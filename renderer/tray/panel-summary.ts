import { isOpen } from "../../core/protocol/questions.ts";
import { type Waiting, waitingFor } from "../../core/protocol/waiting.ts";
import type { PanelContent, PanelRemote, PanelSession } from "../../preload/channels.ts";
import { questionKey } from "./inbox-items.ts";
import { isUsable } from "./machine-state.ts";
import { words } from "./words/index.ts";

/** Describes what runs in all sessions: `3 agents, 2 shells, 1 person`. */
export function summary({ sessions }: PanelContent): string {
  const agents = sessions.reduce((sum, session) => sum + session.agents.length, 0);
  const shells = sessions.reduce((sum, { shells }) => sum + shells.filter(({ running }) => running).length, 0);
  return words.panel.summary(
    words.agents.count(agents),
    words.sessions.shells(shells),
    words.people.count(peopleIn(sessions)),
  );
}

/** The parts of the panel that count what waits. */
export type WaitingPart = "questions" | "sessions" | "people" | "costs";

type Counted = Pick<PanelContent, "sessions" | "logins" | "costToday" | "budgets">;

const parts: Readonly<Record<Waiting["kind"], WaitingPart>> = {
  question: "questions",
  agent: "questions",
  "agent-request": "sessions",
  plugin: "sessions",
  "adopt-request": "people",
  "role-request": "people",
};

/**
 * Counts what waits for the user in each part of the panel: of the sessions what their windows and the tray count too,
 * logins, a budget that is exceeded, and the open questions of machines that can be asked. A question that is reached in two
 * ways counts once.
 */
export function waitingIn(
  content: Counted,
  remotes: readonly PanelRemote[] = [],
): Readonly<Record<WaitingPart, number>> {
  const waiting = content.sessions.flatMap((session) =>
    waitingFor(
      session,
      session.clients.find(({ id }) => id === session.self),
    ).map((one) => ({ session: session.id, ...one })),
  );
  const count = (part: WaitingPart) => waiting.filter(({ kind }) => parts[kind] === part).length;
  const here = new Set(
    waiting.flatMap((one) => (one.kind === "question" ? questionKey({ ...one, id: one.question }) : [])),
  );
  const there = remotes
    .filter(isUsable)
    .flatMap(({ questions }) => questions.map(({ question }) => question))
    .filter(isOpen)
    .map(questionKey)
    .filter((key) => !here.has(key));
  return {
    questions: count("questions") + new Set(there).size,
    sessions: count("sessions"),
    people: count("people") + content.logins.length,
    costs: overBudget(content) === undefined ? 0 : 1,
  };
}

/** Returns by how many US dollars today's budget is exceeded; undefined while it is not. */
export function overBudget({ costToday, budgets }: Pick<PanelContent, "costToday" | "budgets">): number | undefined {
  const over = budgets.day === null ? 0 : costToday - budgets.day;
  return over > 0 ? over : undefined;
}

/**
 * Counts the people in all sessions. The user of this app has a client in every session and counts once; so does everyone
 * else with one name in several sessions. Two clients of one name in the same session count as two people.
 */
export function peopleIn(sessions: readonly Pick<PanelSession, "clients" | "self">[]): number {
  const most = new Map<string, number>();
  for (const { clients, self } of sessions) {
    const here = new Map<string, number>();
    for (const { id, name } of clients) if (id !== self) here.set(name, (here.get(name) ?? 0) + 1);
    for (const [name, count] of here) most.set(name, Math.max(most.get(name) ?? 0, count));
  }
  const own = sessions.some(({ clients, self }) => clients.some(({ id }) => id === self)) ? 1 : 0;
  return [...most.values()].reduce((sum, count) => sum + count, own);
}
