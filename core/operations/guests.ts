import { z } from "zod";
import { ClientId } from "../protocol/ids.ts";
import { PERSON_COLOURS, Role, Timestamp } from "../protocol/records.ts";
import { operation } from "./operation.ts";
import { SessionParam } from "./sessions.ts";

const GuestParam = z.string().describe("Id of the guest, from the list.");

export const Guest = z.object({
  id: z.string(),
  name: z.string().describe("as the guest chose it"),
  role: Role,
  device: z.string().describe("the browser, as it announced itself"),
  colour: z
    .int()
    .min(0)
    .max(PERSON_COLOURS - 1)
    .optional()
    .describe("the guest's colour, from 0; while connected another one if others who are present have it"),
  invite: z.string().nullable().describe("id of the invite that let the guest in; null if it was not recorded"),
  madeBy: z.string().optional().describe("id of the API key that made the invite, with which the guest is removed"),
  since: Timestamp,
  lastSeenAt: Timestamp.describe("when the guest was connected last; now while connected"),
  expiresAt: Timestamp.describe("when the guest needs a new invite"),
  clients: z.array(ClientId).describe("ids of the guest's connected tabs; empty while the guest is away"),
});
export type Guest = z.infer<typeof Guest>;

export const guestOperations = {
  listGuests: operation({
    summary: "List the guests of a session, connected or not",
    details: "A guest is a browser that an invite let in, with all its tabs.",
    params: z.object({ session: SessionParam }),
    result: z.array(Guest),
    access: "change",
    effect: "read",
    http: { method: "GET", path: "sessions/:session/guests" },
    cli: {
      word: "guests",
      action: "list",
      wordSummary: "list guests, change their roles, remove them",
      isDefault: true,
      examples: ["guests"],
    },
  }),
  changeGuestRole: operation({
    summary: "Give a guest another role",
    details: "At once in every tab, and each time that the guest comes back.",
    params: z.object({ session: SessionParam, guest: GuestParam, role: Role }),
    result: Guest,
    access: "unrestricted",
    closedToAutomation: true,
    effect: "change",
    http: { method: "PATCH", path: "sessions/:session/guests/:guest" },
    cli: { word: "guests", action: "role", args: ["guest", "role"], examples: ["guests role 9f2c4e61a0b3 reader"] },
    panel: true,
  }),
  removeGuest: operation({
    summary: "Remove a guest",
    details:
      "All tabs and tunnels of the guest end at once, and the guest needs a new invite. Returns the guest as it was.",
    params: z.object({ session: SessionParam, guest: GuestParam }),
    result: Guest,
    access: "unrestricted",
    effect: "change",
    http: { method: "DELETE", path: "sessions/:session/guests/:guest" },
    cli: { word: "guests", action: "remove", args: ["guest"], examples: ["guests remove 9f2c4e61a0b3"] },
    panel: true,
  }),
} as const;
