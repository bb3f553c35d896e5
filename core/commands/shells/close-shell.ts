import { z } from "zod";
import { ShellId } from "../../protocol/ids.ts";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";

export const closeShell = command({
  area: "shells",
  summary: "Close a shell: end all that runs in it, and forget it",
  details:
    "SIGHUP to its process group, SIGKILL after 3 s. Only an admin may close another user's shell. Its tiles close with it.",
  params: z.object({ id: ShellId.describe("the shell") }),
  result: relayOps.closeShell.result,
  role: "writer",
  scope: "session",
  touches: { shell: "id" },
  cli: [{ name: "close-shell", args: ["id"], examples: ["close-shell 2"] }],
  run: (context, { id }) => context.delegate("closeShell", { shell: context.shell(id).id }),
});
