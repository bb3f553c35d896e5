import type { overviewOperations } from "../../../core/operations/overview.ts";
import type { Guests } from "../access/guests.ts";
import type { Logins } from "../access/logins.ts";
import type { Budgets } from "../budgets/budgets.ts";
import type { Handlers } from "../calls/calls.ts";
import type { AgentsPort } from "../session/ports.ts";
import type { Sessions } from "../session/sessions.ts";
import { listGuests } from "./guests.ts";

interface OverviewHandlersOptions {
  readonly user: string;
  readonly version: string;
  readonly sessions: Pick<Sessions, "all">;
  readonly guests: Guests;
  readonly logins: Pick<Logins, "pending">;
  readonly budgets: Pick<Budgets, "limits">;
  readonly agents: Pick<AgentsPort, "sessions">;
  /** Returns what does not work in the relay; undefined when there is nothing. */
  readonly healthIssue: (() => string | undefined) | undefined;
  /** Returns the addresses of the relay for other machines; none without remote access. */
  readonly outsideUrls: () => readonly string[];
}

export function overviewHandlers(options: OverviewHandlersOptions): Handlers<keyof typeof overviewOperations> {
  const { user, version, sessions, guests, logins, budgets, agents, healthIssue, outsideUrls } = options;
  return {
    getOverview: ({ session: only }) => ({
      user,
      version,
      sessions: sessions
        .all()
        .filter(({ owner, id }) => owner === user && (only === undefined || id === only))
        .map((session) => {
          const { chat: _chat, tunnels: _tunnels, ...mirror } = session.state.now;
          return {
            ...mirror,
            guests: listGuests(guests, session),
            agentSessions: agents
              .sessions(session.id)
              .map(({ sessionId, startedAt, cwd }) => ({ sessionId, startedAt, cwd })),
          };
        }),
      logins: [...logins.pending()],
      budgets: budgets.limits(),
      healthIssue: healthIssue?.() ?? null,
      outsideUrls: [...outsideUrls()],
    }),
  };
}
