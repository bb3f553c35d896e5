import { z } from "zod";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";

export const notify = command({
  area: "notifications",
  summary: "Show a notification of the desktop or the browser",
  params: z.object({
    title: z.string().min(1).max(500).describe("the title"),
    body: z.string().max(4000).optional().describe("more text"),
  }),
  result: relayOps.notificationShown.result,
  role: "reader",
  scope: "client",
  touches: "messages",
  cli: [{ name: "notify", args: ["title"], examples: ["notify 'Build finished' --body '12 tests passed'"] }],
  run(context, notification) {
    context.host.notify({ ...notification, shell: context.source });
    return context.delegate("notificationShown", notification);
  },
});
