/**
 * What can be done over HTTP beside the commands, by its name in the OpenAPI description, and which restricted keys may
 * do it:
 *
 * - `anyone`: every key; it tells only about the key itself.
 * - `reads`: every key whose patterns name it, and every shell's token.
 * - `changes`: a key whose patterns name it, unless it is read-only or for own shells; a shell that is not restricted.
 * - `opens`: only keys and shells without restrictions, because it opens a way around them.
 */
export const routeActions = {
  whoAmI: "anyone",
  getShellHost: "reads",
  listSessions: "reads",
  createSession: "changes",
  renameSession: "changes",
  closeSession: "changes",
  events: "reads",
  listPlugins: "reads",
  removePlugin: "changes",
  listInvites: "changes",
  createInvite: "opens",
  revokeInvite: "changes",
  connectClient: "opens",
  createToken: "opens",
} as const satisfies Record<string, "anyone" | "reads" | "changes" | "opens">;

export type RouteAction = keyof typeof routeActions;
