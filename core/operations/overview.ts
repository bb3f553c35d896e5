import { z } from "zod";
import { BudgetLimits } from "../protocol/budgets.ts";
import { SessionId } from "../protocol/ids.ts";
import { SessionMirror } from "../protocol/mirror.ts";
import { PendingLogin } from "../protocol/pending-login.ts";
import { Timestamp } from "../protocol/records.ts";
import { Guest } from "./guests.ts";
import { operation } from "./operation.ts";

/** A session with all that its owner sees of it at once. */
export const SessionOverview = SessionMirror.omit({ chat: true, tunnels: true }).extend({
  guests: z.array(Guest),
  agentSessions: z
    .array(z.object({ sessionId: z.string(), startedAt: Timestamp, cwd: z.string() }))
    .describe("the agents' own sessions that were seen in it, by which usage belongs to it"),
});
export type SessionOverview = z.infer<typeof SessionOverview>;

export const Overview = z.object({
  user: z.string().describe("name of the relay's owner"),
  version: z.string(),
  sessions: z.array(SessionOverview),
  logins: z.array(PendingLogin).describe("programs that wait to be let in"),
  budgets: BudgetLimits,
  healthIssue: z.string().nullable().describe("what does not work in the relay; no change of the overview tells of it"),
  outsideUrls: z.array(z.string()).describe("addresses of the relay for other machines"),
});
export type Overview = z.infer<typeof Overview>;

/** What the owner sees at a glance. */
export const overviewOperations = {
  getOverview: operation({
    summary: "Show what waits, what runs and who is here, in all sessions",
    details: "What the panel in a browser shows. For the relay's owner, with a key without restrictions.",
    params: z.object({ session: SessionId.optional().describe("only this session, in `sessions`") }),
    result: Overview,
    access: "unrestricted",
    owner: "relay",
    closedToShells: true,
    effect: "read",
    http: { method: "GET", path: "overview" },
  }),
} as const;
