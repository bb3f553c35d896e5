import { z } from "zod";
import { SessionId } from "../protocol/ids.ts";
import { Role, Timestamp } from "../protocol/records.ts";
import { operation } from "./operation.ts";
import { SessionParam } from "./sessions.ts";

const MONTH_SECONDS = 30 * 24 * 3600;

export const Invite = z.object({
  id: z.string(),
  session: SessionId,
  role: Role,
  usesLeft: z.int(),
  createdAt: z.string(),
  expiresAt: z.string(),
  madeBy: z.string().optional().describe("id of the API key that made it, with which it ends"),
});
export type Invite = z.infer<typeof Invite>;

/** The machines that a link is for. */
const LinkReach = {
  outside: z.boolean().default(false).describe("make the link for other machines (`patchbay serve --listen ADDRESS`)"),
  address: z
    .url()
    .max(2048)
    .optional()
    .describe("which of the relay's addresses for other machines the link has; default with `outside`: the first"),
};

export const inviteOperations = {
  listInvites: operation({
    summary: "List the open invites",
    details: "Without their links: a link is shown only when it is created.",
    params: z.object({ session: SessionParam }),
    result: z.array(Invite),
    access: "change",
    effect: "read",
    http: { method: "GET", path: "sessions/:session/invites" },
    cli: { word: "invite", action: "list", examples: ["invite list"] },
    panel: true,
  }),
  createInvite: operation({
    summary: "Create a link that lets a browser into a session",
    details: "The browser that opens the link first is let in. The link is shown once.",
    params: z.object({
      session: SessionParam,
      role: Role.default("writer").describe("what the guest may do"),
      ttl: z.number().min(1).max(MONTH_SECONDS).default(3600).describe("seconds until the link expires"),
      uses: z.int().min(1).max(100).default(1).describe("how many browsers it lets in"),
      ...LinkReach,
    }),
    result: Invite.extend({
      url: z.url(),
      urls: z.array(z.url()).describe("the same link at every address of the relay, this machine's first"),
    }),
    hasSecret: true,
    access: "unrestricted",
    closedToAutomation: true,
    effect: "change",
    http: { method: "POST", path: "sessions/:session/invites", status: 201 },
    cli: {
      word: "invite",
      action: "create",
      wordSummary: "create, list and revoke links that let browsers into a session",
      isDefault: true,
      shows: "url",
      examples: [
        "invite",
        "invite --role reader --ttl 600",
        "invite --outside",
        "invite --address https://studio.local:7718",
      ],
    },
  }),
  createOwnerLink: operation({
    summary: "Create a link that lets a browser of yours in as you",
    details:
      "For a phone or another computer of the relay's owner. It is good once, for ten minutes, and dies with the relay. The browser gets an API key of its own for 30 days, which `keys list` shows and `keys revoke` ends: one that is made with a key ends with that.",
    params: z.object({
      session: SessionParam,
      ...LinkReach,
    }),
    result: z.object({ url: z.url(), expiresAt: Timestamp }),
    hasSecret: true,
    access: "unrestricted",
    owner: "relay",
    closedToShells: true,
    closedToAutomation: true,
    effect: "change",
    http: { method: "POST", path: "sessions/:session/owner-links", status: 201 },
    cli: {
      word: "invite",
      action: "owner",
      shows: "url",
      examples: ["invite owner", "invite owner --outside"],
    },
  }),
  revokeInvite: operation({
    summary: "Revoke an invite",
    details: "Browsers that it let in stay connected.",
    params: z.object({ session: SessionParam, invite: z.string().describe("Id of the invite.") }),
    result: z.object({ id: z.string() }),
    access: "change",
    effect: "change",
    http: { method: "DELETE", path: "sessions/:session/invites/:invite" },
    cli: { word: "invite", action: "revoke", args: ["invite"] },
    panel: true,
  }),
} as const;
