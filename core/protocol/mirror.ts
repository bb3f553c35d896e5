import { z } from "zod";
import { Agent } from "./agent-records.ts";
import { ClientId, SessionId, ShellId } from "./ids.ts";
import { Question } from "./questions.ts";
import {
  AdoptRequest,
  ChatMessage,
  ClientRecord,
  PluginRecord,
  RoleRequest,
  Shell,
  Timestamp,
  Tunnel,
} from "./records.ts";
import { noShellRestrictions, ShellRestrictions } from "./shell-restrictions.ts";

/** A client's copy of its session, so that getters need no request to the relay. */
export const SessionMirror = z.object({
  session: z.object({ id: SessionId, name: z.string(), owner: z.string(), createdAt: Timestamp }),
  clients: z.array(ClientRecord),
  shells: z.array(Shell),
  chat: z.array(ChatMessage),
  tunnels: z.array(Tunnel),
  agents: z.array(Agent),
  adoptRequests: z.array(AdoptRequest),
  roleRequests: z.array(RoleRequest).default([]),
  plugins: z.array(PluginRecord),
  /** Those that need a person and, for a moment, those whose answer has just been settled; oldest first. */
  questions: z.array(Question).default([]),
  restrictions: ShellRestrictions.default(noShellRestrictions),
});
export type SessionMirror = z.infer<typeof SessionMirror>;

/** Every diff is idempotent: it may arrive before or after the snapshot that already contains it. */
export const SessionDiff = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("session"), name: z.string() }),
  z.object({ kind: z.literal("client"), client: ClientRecord }),
  z.object({ kind: z.literal("client-gone"), id: ClientId }),
  z.object({ kind: z.literal("shell"), shell: Shell }),
  /** `by`: the shell that replaced it; tiles switch to the new shell. */
  z.object({ kind: z.literal("shell-gone"), id: ShellId, by: ShellId.optional() }),
  z.object({ kind: z.literal("chat"), message: ChatMessage }),
  z.object({ kind: z.literal("tunnels"), tunnels: z.array(Tunnel) }),
  z.object({ kind: z.literal("agents"), agents: z.array(Agent) }),
  z.object({ kind: z.literal("adopt-request"), request: AdoptRequest }),
  z.object({ kind: z.literal("adopt-request-gone"), id: z.int() }),
  z.object({ kind: z.literal("role-request"), request: RoleRequest }),
  z.object({ kind: z.literal("role-request-gone"), id: z.int() }),
  z.object({ kind: z.literal("plugins"), plugins: z.array(PluginRecord) }),
  z.object({ kind: z.literal("question"), question: Question }),
  z.object({ kind: z.literal("question-gone"), id: z.int() }),
  z.object({ kind: z.literal("restrictions"), restrictions: ShellRestrictions }),
]);
export type SessionDiff = z.infer<typeof SessionDiff>;
