import { z } from "zod";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";

export const notify = command({
  area: "notifications",
  summary: "Show a notification of the desktop or the browser",
  details:
    "Where the desktop or the browser shows none, it becomes a toast. The answer says what happened: `shown` is true only when the user's screen showed it, and `by` is `native`, `toast`, or `log` where it was only recorded (no screen, a pause, quiet hours).",
  params: z.object({
    title: z.string().min(1).max(500).describe("the title"),
    body: z.string().max(4000).optional().describe("more text"),
  }),
  result: relayOps.notificationShown.result,
  role: "reader",
  scope: "client",
  toAll: true,
  touches: "messages",
  sensitive: ["title", "body"],
  cli: [
    {
      name: "notify",
      args: ["title"],
      rest: true,
      examples: ["notify 'Build finished' --body '12 tests passed'", "notify 'Build finished' --client all"],
    },
  ],
  async run(context, notification) {
    const by = await context.host.notify({ ...notification, shell: context.source });
    return context.ask("notificationShown", { ...notification, by });
  },
});
