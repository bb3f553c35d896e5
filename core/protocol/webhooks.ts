import { z } from "zod";
import { eventTypes } from "./events.ts";
import { SessionId } from "./ids.ts";
import { Timestamp } from "./records.ts";

export const webhookLimits = {
  hooks: 50,
  /** Length of an address. */
  url: 2048,
  /** Messages of one hook that wait. What comes when so many wait is joined into one. */
  waiting: 1000,
  /** Delivered messages of one hook that are kept. */
  delivered: 100,
  /** Dead letters of one hook that are kept; the oldest go first. */
  dead: 1000,
  /** Size of a message's body in bytes. */
  bodyBytes: 64 * 1024,
} as const;

/** Events of a hook that are no types of the session's events: an `agent.updated` that brings the agent into this state. */
const agentStateEvents = ["agent.idle", "agent.error"] as const;
export type AgentStateEvent = (typeof agentStateEvents)[number];

/** Names of all that a hook can be told of. */
const webhookEventNames: readonly string[] = [...eventTypes, ...agentStateEvents];

export const DEFAULT_WEBHOOK_EVENTS = "question.opened,agent.idle,agent.error,budget.*";

/** Returns the patterns of a list that is separated by commas. */
export function eventPatternsOf(list: string): string[] {
  return list.split(",").map((pattern) => pattern.trim());
}

/** Whether a pattern is for an event: its name, a beginning and `.*`, or `*`. */
export function fitsEvent(pattern: string, name: string): boolean {
  if (pattern === "*") return true;
  return pattern.endsWith(".*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** Events by their names and patterns. Each pattern must be for an event that there is. */
export const WebhookEvents = z
  .string()
  .min(1)
  .max(500)
  .superRefine((list, context) => {
    const wrong = eventPatternsOf(list).find((pattern) => !webhookEventNames.some((name) => fitsEvent(pattern, name)));
    if (wrong === undefined) return;
    context.addIssue({
      code: "custom",
      message: `no event fits ${JSON.stringify(wrong)}; expected names such as question.opened, question.* or *, separated by commas, of ${webhookEventNames.join(", ")}`,
    });
  });

/** How a hook's receiver is spoken to. */
export const WebhookFormat = z.enum(["json", "ntfy", "slack", "discord"]);
export type WebhookFormat = z.infer<typeof WebhookFormat>;

const QUIET_HOURS = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]-(?:[01][0-9]|2[0-3]):[0-5][0-9]$/;

/** What a hook does, as its owner chose it. */
export const WebhookSettings = z.object({
  events: WebhookEvents.default(DEFAULT_WEBHOOK_EVENTS).describe(
    "names of events and patterns such as `question.*`, separated by commas",
  ),
  format: WebhookFormat.default("json").describe("whom the messages are for: a program, or one of these services"),
  contentFree: z
    .boolean()
    .default(false)
    .describe("send the kind of event and a link only, nothing that an agent or a program wrote"),
  always: z.boolean().default(false).describe("send also while you work in the session"),
  after: z
    .int()
    .min(1)
    .max(24 * 60)
    .optional()
    .describe(
      "minutes: send a question, and an agent that became idle or failed, only if it is still so then, also while you work in the session",
    ),
  quiet: z
    .string()
    .regex(QUIET_HOURS, "expected hours such as 22:00-07:00")
    .refine((hours) => hours.slice(0, 5) !== hours.slice(6), "expected hours that do not end where they begin")
    .optional()
    .describe("hours in which nothing is sent, such as 22:00-07:00, in the relay's local time; it is one message then"),
  address: z
    .string()
    .max(45)
    .refine((text) => [z.ipv4(), z.ipv6()].some((kind) => kind.safeParse(text).success), "expected an IP address")
    .optional()
    .describe("the one address of this machine or of a private network that the URL may lead to"),
});
export type WebhookSettings = z.infer<typeof WebhookSettings>;

/** A hook as its owner sees it. */
export const Webhook = WebhookSettings.extend({
  id: z.string(),
  to: z.string().describe("scheme and host of its URL; the rest of it may be a secret and is not shown"),
  session: SessionId.nullable().describe("the session whose events it is for; null: each of yours"),
  createdAt: Timestamp,
  waiting: z.int().describe("messages that are still to be delivered"),
  dead: z.int().describe("messages that were given up"),
  lastError: z.string().nullable().describe("why the last attempt failed; null after one that succeeded"),
}).meta({ id: "Webhook" });
export type Webhook = z.infer<typeof Webhook>;

/** What one attempt to deliver a message came to. */
export const WebhookAttempt = z.object({
  ok: z.boolean(),
  status: z.int().nullable().describe("HTTP status; null where there was no answer"),
  error: z.string().nullable(),
});
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

/** A message to a hook. */
export const WebhookDelivery = z
  .object({
    id: z.string().describe("the same in each attempt: header `webhook-id`"),
    state: z.enum(["waiting", "delivered", "dead"]),
    event: z.string().describe("name of the event; `several` for a message about many"),
    title: z.string(),
    events: z.int().describe("number of events that it tells of"),
    attempts: z.int(),
    createdAt: Timestamp,
    nextAttemptAt: Timestamp.nullable(),
    status: z.int().nullable().describe("HTTP status of the last attempt; null where there was no answer"),
    error: z.string().nullable().describe("why the last attempt failed"),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;
