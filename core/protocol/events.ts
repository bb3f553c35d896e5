import { z } from "zod";
import { Agent } from "./agent-records.ts";
import { BudgetAlert } from "./budgets.ts";
import { type ErrorCode, errorTable } from "./errors.ts";
import { ClientId, ShellId, TileKey } from "./ids.ts";
import { JsonValue } from "./json-value.ts";
import { Question } from "./questions.ts";
import { Receipt } from "./receipts.ts";
import { ChatMessage, ClientEntry, guestMark, Role, Shell, Tunnel } from "./records.ts";
import { AgentAnswer, AgentRequest } from "./shell-restrictions.ts";

export const ToastKind = z.enum(["info", "success", "error"]);
export type ToastKind = z.infer<typeof ToastKind>;

/**
 * How a message was shown: as a native notification, as a toast in the client, or only in the log (the session's events,
 * the list of past notifications, the output of a headless client).
 */
export const ShownBy = z.enum(["native", "toast", "log"]);
export type ShownBy = z.infer<typeof ShownBy>;

/** The events of a session, sent over server-sent events and the clients' links (docs/decisions/0011). */
export const RelayEvent = z.discriminatedUnion("type", [
  event("client.joined", z.object({ client: ClientEntry })),
  event("client.left", z.object({ client: ClientEntry })),
  event("shell.created", z.object({ shell: Shell })),
  event("shell.exited", z.object({ shellId: ShellId, exitCode: z.int().nullable(), signal: z.string().nullable() })),
  event("shell.title", z.object({ shellId: ShellId, title: z.string() })),
  /** A program in the shell asks for a notification (OSC 9, 99, 777). `leftOut`: so many before it were too many. */
  event(
    "shell.notification",
    z.object({
      shellId: ShellId,
      title: z.string().nullable(),
      body: z.string(),
      leftOut: z.int().positive().optional(),
    }),
  ),
  /** The shell host has not answered for at least 5 s; `recovered`: it answers again or was replaced. */
  event("shell-host.hung", z.object({ message: z.string() })),
  event("shell-host.recovered", z.object({})),
  event("layout.changed", z.object({ clientId: ClientId, workspace: z.int(), focus: TileKey.nullable() })),
  event("chat.message", ChatMessage),
  event("agent.started", Agent),
  event("agent.updated", Agent),
  event("agent.waiting", Agent),
  event("agent.ended", Agent),
  /** A turn goes on although its terminal has ended: then, at each further use, and `ended` at its end. */
  event("agent.detached", Agent),
  event("tunnel.opened", Tunnel),
  event("tunnel.closed", Tunnel),
  event("plugin.event", z.object({ type: z.string(), data: JsonValue.optional(), from: ClientId.nullable() })),
  event("toast", z.object({ clientId: ClientId, message: z.string(), kind: ToastKind })),
  event("notification", z.object({ clientId: ClientId, title: z.string(), body: z.string().optional() })),
  event("adopt.requested", z.object({ request: z.int(), shellId: ShellId, from: ClientId, to: ClientId })),
  event(
    "adopt.answered",
    z.object({
      shellId: ShellId,
      from: ClientId,
      outcome: z.enum(["allowed", "denied", "expired"]),
    }),
  ),
  event(
    "role.requested",
    z.object({ request: z.int(), from: ClientId, name: z.string(), guest: guestMark(), role: Role }),
  ),
  /** `withdrawn`: the person who asked has left. */
  event(
    "role.answered",
    z.object({
      request: z.int(),
      from: ClientId,
      role: Role,
      outcome: z.enum(["allowed", "denied", "expired", "withdrawn"]),
    }),
  ),
  event("agent.requested", AgentRequest),
  event(
    "agent.answered",
    z.object({ request: z.int(), shellId: ShellId, answer: AgentAnswer.or(z.literal("expired")) }),
  ),
  event("question.opened", Question),
  /** Answered through Patchbay or in the terminal; `answeredBy` says which. */
  event("question.answered", Question),
  /** No longer asked, or not answered in time. */
  event("question.withdrawn", Question),
  /** A budget of agents is nearly spent, or is spent and only warns. */
  event("budget.warned", BudgetAlert),
  /** A prompt was sent to an agent, or its receipt, text or place in the queue has changed. */
  event("receipt.changed", Receipt),
]);
export type RelayEvent = z.infer<typeof RelayEvent>;
export type RelayEventType = RelayEvent["type"];

function event<T extends string, D extends z.ZodType>(type: T, data: D) {
  return z.object({ type: z.literal(type), data });
}

/** Tells whether guests of a session hear of an event: what is of the whole relay is for its owner. */
export function isForGuests({ type }: Pick<RelayEvent, "type">): boolean {
  return type !== "budget.warned";
}

/** Names of the event types. */
export const eventTypes = RelayEvent.options.map((option) => option.shape.type.value);

/** Last message of a stream that the relay ends early, for example because the key was revoked. */
export const StreamClosed = z.object({
  type: z.literal("closed"),
  data: z.object({
    code: z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]).catch("internal"),
    reason: z.string(),
  }),
});

/**
 * An event as `GET events` sends it: with a sequence number and a time, `gap` in place of missing events, or `closed` as the
 * last one.
 */
export const SessionEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("gap"), data: z.object({ missed: z.int(), reason: z.string() }) }),
  StreamClosed,
  ...RelayEvent.options.map((option) => option.extend({ seq: z.int(), at: z.iso.datetime() })),
]);
export type SessionEvent = z.infer<typeof SessionEvent>;
