import { z } from "zod";
import { ToastKind } from "../../protocol/events.ts";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";

export const toast = command({
  area: "notifications",
  summary: "Show a short message on the client",
  details:
    "The answer says what happened: `shown` is true and `by` is `toast` when the client has a screen to show it on; else `by` is `log`.",
  params: z.object({
    message: z.string().min(1).max(2000).describe("the message"),
    kind: ToastKind.default("info").describe("info, success or error"),
  }),
  result: relayOps.toastShown.result,
  role: "reader",
  scope: "client",
  toAll: true,
  touches: "messages",
  sensitive: ["message"],
  cli: [
    { name: "toast", args: ["message"], rest: true, stdin: "message", examples: ["toast 'Deployed' --kind success"] },
  ],
  async run(context, toast) {
    const by = await context.host.toast({ ...toast, shell: context.source });
    return context.ask("toastShown", { ...toast, by });
  },
});
