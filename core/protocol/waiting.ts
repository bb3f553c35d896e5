import { hasScreen } from "./headless.ts";
import type { ShellId } from "./ids.ts";
import type { SessionMirror } from "./mirror.ts";
import { isOpen, type Question } from "./questions.ts";
import type { AdoptRequest, Role } from "./records.ts";

interface Requester {
  readonly id: number;
  readonly role: Role;
}

/** What waits for a client's user, in the order in which it is answered. */
export type Waiting =
  | { readonly kind: "question"; readonly question: number; readonly shell: ShellId; readonly agentType: string }
  /** The agent waits in its terminal, with no question that Patchbay knows. */
  | { readonly kind: "agent"; readonly shell: ShellId; readonly agentType: string }
  | { readonly kind: "agent-request"; readonly shell: number }
  | { readonly kind: "adopt-request"; readonly request: number; readonly shell: number }
  | { readonly kind: "role-request"; readonly request: number }
  | { readonly kind: "plugin"; readonly plugin: string };

/** Whether a client's user may change the roles of others: the session's owner, not a guest. */
export function mayChangeRoles(clients: Readonly<SessionMirror["clients"]>, self: Requester | undefined): boolean {
  return self?.role === "admin" && clients.some(({ id, guest }) => id === self.id && guest !== true);
}

/** Reports whether the relay takes a user's answer to a question: to its own, of budgets, from the session's owner only. */
export function mayAnswer(
  { source }: Pick<Question, "source">,
  clients: Readonly<SessionMirror["clients"]>,
  self: Requester | undefined,
): boolean {
  return source === "governor" ? mayChangeRoles(clients, self) : self !== undefined && self.role !== "reader";
}

/**
 * Lists the requests for shells that are shown to a client's user: those to the client itself, and to the session's owner
 * also those to a client at which nobody can answer, because it is not connected or has no screen.
 */
export function adoptRequestsFor(
  { adoptRequests, clients }: { readonly [Part in "adoptRequests" | "clients"]: Readonly<SessionMirror[Part]> },
  self: Requester | undefined,
): readonly AdoptRequest[] {
  const mayStandIn = mayChangeRoles(clients, self);
  const isSeen = (to: AdoptRequest["to"]) => clients.some((client) => client.id === to && hasScreen(client));
  return adoptRequests.filter(({ to }) => to === self?.id || (mayStandIn && !isSeen(to)));
}

type Asking = "agents" | "questions" | "adoptRequests" | "restrictions" | "plugins" | "roleRequests" | "clients";

/**
 * Lists what waits for a client's user: open questions of agents, agents that wait without one, agents that ask for
 * control, other clients that ask for a shell, and, for an admin, plugins that ask for permissions, and for the session's
 * owner people who ask to type. Every mark and number in the colour of what waits derives from this list; requests beside
 * the sessions (logins, a spent budget, questions on other machines) are added where they are shown.
 */
export function waitingFor(
  mirror: { readonly [Part in Asking]: Readonly<SessionMirror[Part]> },
  self: Requester | undefined,
): readonly Waiting[] {
  // A question may come from an agent whose process the relay does not see: in a container, or on another machine.
  const questions = mirror.questions.filter(isOpen);
  const agents = mirror.agents.filter(
    ({ state, shellId }) => state === "waiting" && !questions.some((question) => question.shellId === shellId),
  );
  const plugins = self?.role === "admin" ? mirror.plugins.filter(({ asks }) => asks) : [];
  const people = mayChangeRoles(mirror.clients, self) ? mirror.roleRequests : [];
  return [
    ...questions.map(({ id, shellId, agentType }) => ({
      kind: "question" as const,
      question: id,
      shell: shellId,
      agentType,
    })),
    ...agents.map(({ shellId, agentType }) => ({ kind: "agent" as const, shell: shellId, agentType })),
    ...mirror.restrictions.requests.map(({ shellId }) => ({ kind: "agent-request" as const, shell: shellId })),
    ...adoptRequestsFor(mirror, self).map(({ id, shellId }) => ({
      kind: "adopt-request" as const,
      request: id,
      shell: shellId,
    })),
    ...people.map(({ id }) => ({ kind: "role-request" as const, request: id })),
    ...plugins.map(({ id }) => ({ kind: "plugin" as const, plugin: id })),
  ];
}
