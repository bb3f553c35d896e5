import { z } from "zod";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";
import { guarded, tileTarget, waitSeconds } from "../fields.ts";
import { resolveShellInTile } from "./resolve-shell.ts";

export const runCommand = command({
  area: "shells",
  summary: "Run a command line in a tile's shell",
  details:
    "With `wait` the answer comes when the command has ended, with its exit code and exactly its output; what jobs in the background print meanwhile is part of it, and so is the shell's note that an earlier one has ended. That rests on the marks that Patchbay gives bash, zsh and fish (docs/reference/shell-marks.md); where they are missing the answer is an error that says why. A line that stands at the prompt already is refused, or cleared with `clear`.",
  params: z.object({
    command: z.string().min(1).max(262_144).describe("the command line, without Enter"),
    tile: tileTarget,
    wait: z.boolean().default(false).describe("answer when the command has ended"),
    clear: z
      .boolean()
      .default(false)
      .describe("with wait: clear a line that stands at the prompt, as Ctrl-C does, instead of refusing"),
    timeout: waitSeconds,
    ...guarded,
  }),
  result: relayOps.runInShell.result,
  role: "writer",
  reads: "what its commands print",
  scope: "client",
  onScreen: false,
  touches: { shellIn: "tile" },
  sensitive: ["command"],
  ownTimeout: true,
  cli: [
    {
      name: "run",
      args: ["command"],
      rest: true,
      print: "output",
      local: ["raw"],
      note: "A terminal gets the output's text and colours; a pipe or file gets every byte. With --wait the exit code is the command's own; where the call itself is refused or takes too long, it is 1, and the reason is on the error output.",
      examples: ["run 'npm test'", "run --wait --tile 2 --timeout 300 'make -j2'", "run --tile 3 ls"],
    },
  ],
  run: (context, { command: line, tile, wait, clear, timeout, guard, expect }) =>
    context.ask("runInShell", {
      shell: resolveShellInTile(context, tile).id,
      command: line,
      wait,
      clear,
      timeoutMs: Math.ceil(timeout * 1000),
      guard,
      expect,
    }),
});
