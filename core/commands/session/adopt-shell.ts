import { z } from "zod";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";
import { exactlyOneOf } from "../fields.ts";
import { resolveShell, shellTarget } from "../shells/resolve-shell.ts";
import { showShell } from "../show-shell.ts";

export const adoptShell = command({
  area: "session",
  summary: "Adopt a shell into the client's workspace",
  details:
    "An admin adopts at once, and so does anyone where nobody owns the shell. A writer's request goes to the shell's owner, or to the session's where the shell's is not connected or has no screen; they have 60 s to allow it. The outcome is an `adopt.answered` event, and the tile appears.",
  params: exactlyOneOf(
    z.object({ ...shellTarget, focus: z.boolean().default(true).describe("give the shell's tile the focus") }),
    ["id", "match"],
  ),
  result: relayOps.adoptShell.result,
  role: "writer",
  scope: "client",
  touches: { shell: "id" },
  cli: [
    {
      name: "adopt-shell",
      args: ["id"],
      instead: { id: { param: "match" } },
      examples: ["adopt-shell 3", "adopt-shell 3 --no-focus"],
    },
  ],
  async run(context, { focus, ...named }) {
    const { id: shell } = resolveShell(context, named);
    // A relay of before knows no focus.
    const outcome = await context.ask("adoptShell", focus ? { shell } : { shell, focus });
    if (outcome.status === "adopted") context.hit.tile = showShell(context, shell, focus);
    return outcome;
  },
});
