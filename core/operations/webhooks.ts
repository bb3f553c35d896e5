import { z } from "zod";
import { Webhook, WebhookAttempt, WebhookDelivery, WebhookSettings, webhookLimits } from "../protocol/webhooks.ts";
import { operation } from "./operation.ts";

const hookId = () => z.string().describe("Id of the webhook, from the list.");

/** What every operation on webhooks has in common: they carry what sessions hold to other machines. */
const ownersOnly = {
  access: "unrestricted",
  owner: "relay",
  closedToAgents: true,
  closedToAutomation: true,
  panel: true,
} as const;

export const webhookOperations = {
  listWebhooks: operation({
    ...ownersOnly,
    summary: "List the webhooks",
    details: "Without their secrets, and without the part of their URLs that may be one.",
    params: z.object({}),
    result: z.array(Webhook),
    effect: "read",
    http: { method: "GET", path: "webhooks" },
    cli: {
      word: "webhooks",
      action: "list",
      wordSummary: "send events of sessions to other programs and services",
      isDefault: true,
      columns: ["id", "to", "format", "events", "waiting", "dead", "lastError", "session"],
      examples: ["webhooks"],
    },
  }),
  addWebhook: operation({
    ...ownersOnly,
    summary: "Add a webhook; its secret is shown once",
    details:
      "Events are sent as `POST` with the headers of Standard Webhooks, each at least once. The URL has to be https and to lead to public addresses, unless `address` names the one that it leads to. Redirects are not followed. The relay keeps the URL and the secret in the keychain, and without one in a private file (docs/reference/webhooks.md).",
    params: z.object({
      url: z.url().max(webhookLimits.url).describe("address that takes the messages"),
      session: z
        .string()
        .optional()
        .describe("id or name of the session whose events it is for; default: each of yours"),
      ...WebhookSettings.shape,
    }),
    result: Webhook.extend({
      secret: z.string().describe("signs the messages; shown once"),
      kept: z.enum(["keychain", "file"]).describe("where the relay keeps the URL and the secret"),
    }),
    effect: "change",
    sensitive: ["url"],
    http: { method: "POST", path: "webhooks", status: 201 },
    cli: {
      word: "webhooks",
      action: "add",
      args: ["url"],
      examples: [
        "webhooks add https://example.com/hook --events 'question.*,agent.idle'",
        "webhooks add https://ntfy.sh/my-topic --format ntfy --content-free",
        "webhooks add http://127.0.0.1:9000/hook --address 127.0.0.1 --always",
      ],
    },
  }),
  removeWebhook: operation({
    ...ownersOnly,
    summary: "Remove a webhook",
    details: "With what waits to be delivered and its dead letters.",
    params: z.object({ webhook: hookId() }),
    result: z.object({ id: z.string() }),
    effect: "change",
    http: { method: "DELETE", path: "webhooks/:webhook" },
    cli: { word: "webhooks", action: "remove", args: ["webhook"] },
  }),
  testWebhook: operation({
    ...ownersOnly,
    summary: "Send a test message to a webhook",
    details: "Once and at once, whatever else waits. Returns what came of it.",
    params: z.object({ webhook: hookId() }),
    result: WebhookAttempt,
    effect: "change",
    http: { method: "POST", path: "webhooks/:webhook/test" },
    cli: { word: "webhooks", action: "test", args: ["webhook"] },
  }),
  listWebhookDeliveries: operation({
    ...ownersOnly,
    summary: "List the last messages of a webhook",
    details: "Newest first: those that wait, those that were delivered, and the dead letters, which were given up.",
    params: z.object({
      webhook: hookId(),
      state: WebhookDelivery.shape.state.optional().describe("only those in this state"),
      limit: z.int().min(1).max(webhookLimits.dead).default(20).describe("at most so many"),
    }),
    result: z.array(WebhookDelivery),
    effect: "read",
    http: { method: "GET", path: "webhooks/:webhook/deliveries" },
    cli: {
      word: "webhooks",
      action: "deliveries",
      args: ["webhook"],
      columns: ["id", "state", "event", "title", "attempts", "status", "error", "createdAt"],
      examples: ["webhooks deliveries 3f2a1b7c9d0e", "webhooks deliveries 3f2a1b7c9d0e --state dead"],
    },
  }),
  replayWebhook: operation({
    ...ownersOnly,
    summary: "Deliver dead letters of a webhook again",
    details: "As new messages with their old ids, so that a receiver that has seen one can tell.",
    params: z.object({
      webhook: hookId(),
      delivery: z.string().optional().describe("id of one message, a delivered one too; default: all dead letters"),
    }),
    result: z.object({ replayed: z.int() }),
    effect: "change",
    http: { method: "POST", path: "webhooks/:webhook/replay" },
    cli: {
      word: "webhooks",
      action: "replay",
      args: ["webhook"],
      examples: ["webhooks replay 3f2a1b7c9d0e", "webhooks replay 3f2a1b7c9d0e --delivery msg_1c0f"],
    },
  }),
} as const;
