import type { z } from "zod";
import { agentOperations } from "./agents.ts";
import { budgetOperations } from "./budgets.ts";
import { clientOperations } from "./clients.ts";
import { conversationOperations } from "./conversations.ts";
import { fleetOperations } from "./fleet.ts";
import { guestOperations } from "./guests.ts";
import { historyOperations } from "./history.ts";
import { inviteOperations } from "./invites.ts";
import { keyOperations } from "./keys.ts";
import { machineOperations } from "./machines.ts";
import type { OperationSpec } from "./operation.ts";
import { overviewOperations } from "./overview.ts";
import { pluginOperations } from "./plugins.ts";
import { policyOperations } from "./policies.ts";
import { priceOperations } from "./prices.ts";
import { processOperations } from "./processes.ts";
import { questionOperations } from "./questions.ts";
import { relayOperations } from "./relay.ts";
import { sendOperations } from "./sends.ts";
import { sessionOperations } from "./sessions.ts";
import { settingOperations } from "./settings.ts";
import { webhookOperations } from "./webhooks.ts";

/** The operations by area, with what the documentation says of each area. */
export const operationAreas = {
  sessions: { summary: "Sessions themselves, and their events.", operations: sessionOperations },
  invites: { summary: "Links that let browsers into a session.", operations: inviteOperations },
  guests: { summary: "Browsers that invites let into a session.", operations: guestOperations },
  clients: { summary: "The connected clients of a session.", operations: clientOperations },
  agents: { summary: "The agents in the shells of a session.", operations: agentOperations },
  questions: { summary: "Questions of the agents in a session's shells.", operations: questionOperations },
  conversations: { summary: "What was said in conversations with agents.", operations: conversationOperations },
  policies: { summary: "Rules that answer the questions of a session's agents.", operations: policyOperations },
  budgets: { summary: "What agents have used in all sessions, and their budgets.", operations: budgetOperations },
  prices: { summary: "The prices by which agents' calls are counted.", operations: priceOperations },
  sends: {
    summary: "Prompts that are sent to the agents in a session's shells, and their receipts.",
    operations: sendOperations,
  },
  processes: { summary: "What the shells of a session cost the machine.", operations: processOperations },
  plugins: { summary: "Plugins of a session; installing takes a bearer token.", operations: pluginOperations },
  webhooks: { summary: "Events that are sent to other programs and services.", operations: webhookOperations },
  keys: { summary: "Keys and tokens, and how programs get them.", operations: keyOperations },
  fleet: { summary: "The relays of other machines that this one has joined.", operations: fleetOperations },
  machines: { summary: "Other machines, with the keys that are kept for them.", operations: machineOperations },
  overview: { summary: "What the owner sees at a glance.", operations: overviewOperations },
  history: { summary: "What shells have printed, recorded on disk.", operations: historyOperations },
  settings: { summary: "Settings of the app, its terminals and the relay.", operations: settingOperations },
  relay: { summary: "The relay itself.", operations: relayOperations },
} as const satisfies Record<string, { summary: string; operations: Record<string, OperationSpec> }>;

/** Every operation of the relay, by name: the one list from which HTTP, the command line and the panel derive. */
export const operations = {
  ...sessionOperations,
  ...inviteOperations,
  ...guestOperations,
  ...clientOperations,
  ...agentOperations,
  ...questionOperations,
  ...conversationOperations,
  ...policyOperations,
  ...budgetOperations,
  ...priceOperations,
  ...sendOperations,
  ...processOperations,
  ...pluginOperations,
  ...webhookOperations,
  ...keyOperations,
  ...fleetOperations,
  ...machineOperations,
  ...overviewOperations,
  ...historyOperations,
  ...settingOperations,
  ...relayOperations,
} as const satisfies Record<string, OperationSpec>;

export type OperationName = keyof typeof operations;
/** Parameters as callers give them. */
export type OperationInput<N extends OperationName> = z.input<(typeof operations)[N]["params"]>;
/** Parameters as handlers get them. */
export type OperationParams<N extends OperationName> = z.output<(typeof operations)[N]["params"]>;
export type OperationResult<N extends OperationName> = z.output<(typeof operations)[N]["result"]>;

export const operationNames = Object.keys(operations) as readonly OperationName[];

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}
