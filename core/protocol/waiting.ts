import type { SessionMirror } from "./mirror.ts";
import type { Role } from "./records.ts";

interface Requester {
  readonly id: number;
  readonly role: Role;
}

/** What waits for a client's user, in the order in which it is answered. */
export type Waiting =
  | { readonly kind: "agent" | "agent-request"; readonly shell: number }
  | { readonly kind: "adopt-request"; readonly request: number; readonly shell: number }
  | { readonly kind: "role-request"; readonly request: number }
  | { readonly kind: "plugin"; readonly plugin: string };

/** Whether a client's user may change the roles of others: the session's owner, not a guest. */
export function mayChangeRoles(clients: SessionMirror["clients"], self: Requester | undefined): boolean {
  return self?.role === "admin" && clients.some(({ id, guest }) => id === self.id && guest !== true);
}

/**
 * Lists what waits for a client's user: agents that wait or have an open question, each shell once, agents that ask for
 * control, other clients that ask for a shell, and, for an admin, plugins that ask for permissions, and for the session's
 * owner people who ask to type.
 */
export function waitingFor(
  mirror: Pick<
    SessionMirror,
    "agents" | "questions" | "adoptRequests" | "restrictions" | "plugins" | "roleRequests" | "clients"
  >,
  self: Requester | undefined,
): readonly Waiting[] {
  // A question may come from an agent whose process the relay does not see: in a container, or on another machine.
  const agents = new Set([
    ...mirror.agents.filter(({ state }) => state === "waiting").map(({ shellId }) => shellId),
    ...mirror.questions.filter(({ state }) => state === "open").map(({ shellId }) => shellId),
  ]);
  const plugins = self?.role === "admin" ? mirror.plugins.filter(({ asks }) => asks) : [];
  const people = mayChangeRoles(mirror.clients, self) ? mirror.roleRequests : [];
  return [
    ...[...agents].map((shell) => ({ kind: "agent" as const, shell })),
    ...mirror.restrictions.requests.map(({ shellId }) => ({ kind: "agent-request" as const, shell: shellId })),
    ...mirror.adoptRequests
      .filter(({ to }) => to === self?.id)
      .map(({ id, shellId }) => ({ kind: "adopt-request" as const, request: id, shell: shellId })),
    ...people.map(({ id }) => ({ kind: "role-request" as const, request: id })),
    ...plugins.map(({ id }) => ({ kind: "plugin" as const, plugin: id })),
  ];
}
