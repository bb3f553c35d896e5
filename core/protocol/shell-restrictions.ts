import { z } from "zod";
import { ShellId } from "./ids.ts";
import { type Role, Timestamp } from "./records.ts";

/** A request of an agent in a shell to control the session, created when one of its calls was denied. */
export const AgentRequest = z.object({
  id: z.int(),
  shellId: ShellId,
  agentType: z.string(),
  folder: z.string().describe("working directory of the agent; empty where it is not known"),
  wants: z.string().describe("the method that was refused"),
  at: Timestamp,
});
export type AgentRequest = z.infer<typeof AgentRequest>;

/** A user's permanent permission for every agent of a kind in a folder. */
export const AgentPermission = z.object({ agentType: z.string(), folder: z.string(), allowedAt: Timestamp });
export type AgentPermission = z.infer<typeof AgentPermission>;

/** A user's answer to an agent's request: for this run of the agent, for this kind in this folder, or no. */
export const AgentAnswer = z.enum(["once", "always", "no"]);
export type AgentAnswer = z.infer<typeof AgentAnswer>;

/**
 * Lists the answers that the relay takes from a client's user: all from an admin, those for one run from the owner of the
 * agent's shell.
 */
export function agentAnswers(
  { shellId, folder }: Pick<AgentRequest, "shellId" | "folder">,
  shells: readonly { readonly id: number; readonly ownerClientId: number | null }[],
  { id, role }: { readonly id: number; readonly role: Role },
): readonly AgentAnswer[] {
  if (role === "admin") return folder === "" ? ["once", "no"] : ["once", "no", "always"];
  const isOwner = shells.some((shell) => shell.id === shellId && shell.ownerClientId === id);
  return isOwner && role === "writer" ? ["once", "no"] : [];
}

/** A session's settings that restrict what programs in its shells can do. */
export const ShellRestrictions = z.object({
  restrictShells: z.boolean().describe("all shells of the session are restricted, those opened by hand too"),
  requests: z.array(AgentRequest).describe("agents that wait for an answer"),
  allowed: z.array(AgentPermission).describe("agents that may always control the session"),
});
export type ShellRestrictions = z.infer<typeof ShellRestrictions>;

export const noShellRestrictions: ShellRestrictions = { restrictShells: false, requests: [], allowed: [] };
