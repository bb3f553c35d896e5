import { z } from "zod";
import { ShellId } from "../../protocol/ids.ts";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";
import { showShell } from "../show-shell.ts";

export const adoptShell = command({
  area: "session",
  summary: "Take a shell over into the client's workspace",
  details:
    "An admin adopts at once, and so does anyone where nobody owns the shell. A writer's request goes to the owner, who has 60 s to allow it; the outcome is an `adopt.answered` event, and the tile appears.",
  params: z.object({ id: ShellId.describe("the shell") }),
  result: relayOps.adoptShell.result,
  role: "writer",
  scope: "client",
  touches: { shell: "id" },
  cli: [{ name: "adopt-shell", args: ["id"], examples: ["adopt-shell 3"] }],
  async run(context, { id }) {
    const { id: shell } = context.shell(id);
    const outcome = await context.ask("adoptShell", { shell });
    if (outcome.status === "adopted") context.hit.tile = showShell(context, shell);
    return outcome;
  },
});
