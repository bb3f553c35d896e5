import type { ShellId } from "../../../core/protocol/ids.ts";
import { waitingFor } from "../../../core/protocol/waiting.ts";
import { words } from "../words.ts";
import type { DesktopClient } from "./desktop-client.ts";

/** The summary of a session for tray and panel. */
export interface SessionSummary {
  readonly id: string;
  readonly name: string;
  /** Running shells. */
  readonly shells: number;
  /** Connected clients, this app's own one included. */
  readonly clients: number;
  /** Number of requests for the user (core/protocol/waiting.ts). */
  readonly waiting: number;
  /** The agents among them, one for each shell. */
  readonly waitingAgents: readonly { readonly agentType: string; readonly shell: ShellId }[];
  /** Agents at work. */
  readonly working: number;
}

export function summarizeSession(session: DesktopClient): SessionSummary {
  const { mirror, self } = session.client;
  const waiting = mirror === undefined ? [] : waitingFor(mirror, self);
  const agents = waiting.filter((one) => one.kind === "question" || one.kind === "agent");
  return {
    id: session.id,
    name: session.name(),
    shells: mirror?.shells.filter((shell) => shell.running).length ?? 0,
    clients: mirror?.clients.length ?? 0,
    waiting: waiting.length,
    waitingAgents: [...new Map(agents.map(({ shell, agentType }) => [shell, { agentType, shell }])).values()],
    working: mirror?.agents.filter((agent) => agent.state === "working").length ?? 0,
  };
}

/** One line for the tray, with waiting requests first. `beside`: number of those beside the sessions, such as logins. */
export function statusLine(sessions: readonly SessionSummary[], beside = 0): string {
  const sum = (count: (session: SessionSummary) => number) => sessions.reduce((total, each) => total + count(each), 0);
  const waiting = beside + sum((session) => session.waiting);
  const shells = sum(shellsOf);
  return waiting === 0
    ? words.tray.status(sessions.length, shells)
    : words.tray.statusWaiting(waiting, sessions.length, shells);
}

function shellsOf({ shells }: SessionSummary): number {
  return shells;
}
