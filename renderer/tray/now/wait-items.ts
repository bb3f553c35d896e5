import type { Agent } from "../../../core/protocol/agent-records.ts";
import { unreachable } from "../../../core/protocol/errors.ts";
import type { PendingLogin } from "../../../core/protocol/pending-login.ts";
import type { AdoptRequest, PluginRecord, RoleRequest } from "../../../core/protocol/records.ts";
import type { ShellRestrictions } from "../../../core/protocol/shell-restrictions.ts";
import type { PanelContent, PanelSession } from "../../../preload/channels.ts";
import { overBudget, waitingIn } from "../panel-summary.ts";

interface InSession {
  readonly key: string;
  readonly session: PanelSession;
}

/** What waits for the user besides the questions of agents. */
export type RequestItem =
  | { readonly kind: "login"; readonly key: string; readonly login: PendingLogin }
  | ({ readonly kind: "adopt"; readonly request: AdoptRequest } & InSession)
  | ({ readonly kind: "role"; readonly request: RoleRequest } & InSession)
  | ({ readonly kind: "control"; readonly request: ShellRestrictions["requests"][number] } & InSession)
  /** Waits in its terminal, with no question that Patchbay knows. */
  | ({ readonly kind: "agent"; readonly agent: Agent } & InSession)
  | ({ readonly kind: "plugin"; readonly plugin: PluginRecord } & InSession)
  /** Today's budget is exceeded by so many US dollars. */
  | { readonly kind: "budget"; readonly key: string; readonly over: number };

type Counted = Pick<PanelContent, "sessions" | "logins" | "costToday" | "budgets">;

/** In which order requests are listed: those that expire come first. */
const ORDER = [
  "adopt",
  "login",
  "role",
  "control",
  "agent",
  "plugin",
  "budget",
] as const satisfies readonly RequestItem["kind"][];

/** Lists the requests of all sessions, and those beside the sessions: the same that the tray and the windows count. */
export function requestItems(content: Counted): readonly RequestItem[] {
  const over = overBudget(content);
  // One that was raised may be exceeded again: the receipt of the answer must not stand for that.
  const key = `budget ${content.budgets.day}`;
  const items: readonly RequestItem[] = [
    ...content.logins.map((login) => ({ kind: "login" as const, key: `login ${login.code}`, login })),
    ...content.sessions.flatMap(requestsIn),
    ...(over === undefined ? [] : [{ kind: "budget" as const, key, over }]),
  ];
  return [...items].sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
}

function requestsIn(session: PanelSession): RequestItem[] {
  return waitingIn(session).flatMap((waiting): RequestItem[] => {
    const of = (what: string | number) => ({ session, key: `${session.id} ${waiting.kind} ${what}` });
    switch (waiting.kind) {
      case "question":
        return [];
      case "agent": {
        const agent = session.agents.find(({ shellId }) => shellId === waiting.shell);
        return agent === undefined ? [] : [{ kind: "agent", agent, ...of(waiting.shell) }];
      }
      case "agent-request":
        return session.restrictions.requests
          .filter(({ shellId }) => shellId === waiting.shell)
          .map((request) => ({ kind: "control", request, ...of(request.id) }));
      case "adopt-request":
        return session.adoptRequests
          .filter(({ id }) => id === waiting.request)
          .map((request) => ({ kind: "adopt", request, ...of(request.id) }));
      case "role-request":
        return session.roleRequests
          .filter(({ id }) => id === waiting.request)
          .map((request) => ({ kind: "role", request, ...of(request.id) }));
      case "plugin":
        return session.plugins
          .filter(({ id }) => id === waiting.plugin)
          .map((plugin) => ({ kind: "plugin", plugin, ...of(plugin.id) }));
      default:
        return unreachable(waiting);
    }
  });
}
