import type { Question } from "../../core/protocol/questions.ts";
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

/** Counts the agents that wait for the user, and a budget that is exceeded. */
export function waitingIn(content: Pick<PanelContent, "sessions" | "costToday" | "budgets">): number {
  const over = overBudget(content) === undefined ? 0 : 1;
  return content.sessions.reduce(
    (sum, { agents }) => sum + agents.filter(({ state }) => state === "waiting").length,
    over,
  );
}

/** Returns by how many US dollars today's budget is exceeded; undefined while it is not. */
export function overBudget({ costToday, budgets }: Pick<PanelContent, "costToday" | "budgets">): number | undefined {
  const over = budgets.day === null ? 0 : costToday - budgets.day;
  return over > 0 ? over : undefined;
}

/**
 * Counts the agents' questions that need a person, here and on the machines that can be asked. A question that is reached
 * in two ways counts once.
 */
export function questionsIn(
  { sessions }: Pick<PanelContent, "sessions">,
  remotes: readonly PanelRemote[] = [],
): number {
  const here = sessions.flatMap(({ questions }) => questions);
  const there = remotes.filter(isUsable).flatMap(({ questions }) => questions.map(({ question }) => question));
  return new Set([...here, ...there].filter(needsAnswer).map(questionKey)).size;
}

/** An answer whose proof is only just awaited needs nothing of the user. */
function needsAnswer({ receipt }: Question): boolean {
  return receipt?.state !== "pending";
}

/** Counts the requests of agents for control of a session. */
export function controlRequestsIn({ sessions }: PanelContent): number {
  return sessions.reduce((sum, { restrictions }) => sum + restrictions.requests.length, 0);
}

/** Counts what people and programs ask for: shells, to type, and to be let in. */
export function requestsIn({ sessions, logins }: PanelContent): number {
  return sessions.reduce(
    (sum, { adoptRequests, roleRequests }) => sum + adoptRequests.length + roleRequests.length,
    logins.length,
  );
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
