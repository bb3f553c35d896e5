import { z } from "zod";
import { command } from "../command.ts";

export const notify = command({
  area: "notifications",
  summary: "Show a notification of the desktop or the browser",
  params: z.object({
    title: z.string().min(1).max(500).describe("the title"),
    body: z.string().max(4000).optional().describe("more text"),
  }),
  result: z.object({ shown: z.boolean() }),
  role: "reader",
  scope: "client",
  cli: [{ name: "notify", args: ["title"], examples: ["notify 'Build finished' --body '12 tests passed'"] }],
  run({ host }, notification) {
    host.notify(notification);
    return { shown: true };
  },
});
