import { z } from "zod";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";
import { exactlyOneOf } from "../fields.ts";
import { resolveShell, shellTarget } from "./resolve-shell.ts";

export const closeShell = command({
  area: "shells",
  summary: "Close a shell: end everything that runs in it, and remove it",
  details:
    "SIGHUP to its process group, SIGKILL after 3 s. Only an admin may close another user's shell. Its tiles close with it.",
  params: exactlyOneOf(z.object(shellTarget), ["id", "match"]),
  result: relayOps.closeShell.result,
  role: "writer",
  scope: "session",
  touches: { shell: "id" },
  cli: [
    {
      name: "close-shell",
      args: ["id"],
      instead: { id: { param: "match" } },
      examples: ["close-shell 2", "close-shell --match label:server"],
    },
  ],
  run: (context, named) => context.ask("closeShell", { shell: resolveShell(context, named).id }),
});
