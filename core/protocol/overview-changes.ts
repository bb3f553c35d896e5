import { z } from "zod";
import { StreamClosed } from "./events.ts";
import { SessionId } from "./ids.ts";

/** Parts of the overview, and what is read beside it: `waits` has the requests of a session, `prompts` its receipts. */
export const overviewParts = [
  "sessions",
  "people",
  "shells",
  "agents",
  "waits",
  "prompts",
  "logins",
  "budgets",
] as const;
export const OverviewPart = z.enum(overviewParts);
export type OverviewPart = z.infer<typeof OverviewPart>;

/** What has changed since the last message. */
export const OverviewChange = z.object({
  parts: z.array(OverviewPart).describe("what is to be read again"),
  sessions: z
    .array(SessionId)
    .describe("in which sessions; `sessions`, `logins` and `budgets` are of the relay, and their change names none"),
});
export type OverviewChange = z.infer<typeof OverviewChange>;

/** An event of `GET /v1/overview/changes`; `closed` is the last one. */
export const OverviewEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("changed"), data: OverviewChange }),
  StreamClosed,
]);
