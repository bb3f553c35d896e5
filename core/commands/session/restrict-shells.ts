import { z } from "zod";
import { ShellId } from "../../protocol/ids.ts";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";

export const restrictShells = command({
  area: "session",
  summary: "Restrict what programs in shells may do, or lift the restriction",
  details:
    "A restricted shell may change only itself, what it makes, and the tiles of both. `on` restricts all shells of the session; `off` leaves those restricted that an agent runs in, or that a restricted caller made. With a shell, the answer is for that one, in place of the session's setting and of what made it; an agent in it is still restricted until it is allowed.",
  params: z.object({
    state: z.enum(["on", "off"]).describe("on or off"),
    shell: ShellId.optional().describe("only this shell; default: all shells of the session"),
  }),
  result: relayOps.restrictShells.result,
  role: "admin",
  scope: "session",
  touches: "screen",
  palette: [
    {
      title: "Restrict what programs in shells may do…",
      submit: "Apply",
      fields: {
        state: { label: "Shells of this session", choices: { on: "Restricted to themselves", off: "Not restricted" } },
      },
    },
  ],
  closedToPlugins: true,
  closedToAutomation: true,
  decidesRights: true,
  panel: true,
  cli: [
    {
      name: "restrict-shells",
      args: ["state"],
      examples: ["restrict-shells on", "restrict-shells off --shell 3"],
    },
  ],
  run(context, { state, shell }) {
    if (shell !== undefined) context.shell(shell);
    return context.ask("restrictShells", { on: state === "on", ...(shell === undefined ? {} : { shell }) });
  },
});
