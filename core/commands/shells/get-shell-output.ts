import { z } from "zod";
import { RemoteError } from "../../protocol/errors.ts";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";
import { atMostOneOf } from "../fields.ts";
import { resolveShell, shellTarget } from "./resolve-shell.ts";

export const getShellOutput = command({
  area: "shells",
  summary: "Print the output of a shell",
  details:
    "Without options: all that is in memory, at least the last 4 MiB. A chunk is one piece as delivered. `since` is a cursor: pass the `end` of the last answer to read on; `missed` counts bytes dropped in between. With the history on disk `since` reads what left memory too, 4 MiB at a time. `lines` gives the last lines; with `screen` those that have scrolled away too. To read on as it comes, `GET /v1/sessions/{session_id}/shells/{shell_id}/output` is a stream of server-sent events.",
  params: atMostOneOf(
    z.object({
      ...shellTarget,
      lines: z.int().min(1).max(1_000_000).optional().describe("only the last lines, this many"),
      lastCommand: z
        .boolean()
        .default(false)
        .describe("only the output of the last command line, finished or running; needs shell integration"),
      join: z.boolean().default(false).describe("with `screen`: a line that takes several rows is one line again"),
      chunks: z.int().min(1).optional().describe("only the last chunks, this many"),
      since: z.int().nonnegative().optional().describe("byte offset to start at"),
      maxBytes: z
        .int()
        .min(1)
        .max(64 * 1024 * 1024)
        .optional()
        .describe("at most this many bytes"),
      plain: z.boolean().default(false).describe("without escape sequences"),
      screen: z.boolean().default(false).describe("the visible screen, as text"),
    }),
    ["plain", "screen"],
  ),
  result: relayOps.readOutput.result,
  role: "reader",
  reads: "everything that shells have printed",
  scope: "session",
  cli: [
    {
      name: "get-shell-output",
      args: ["id"],
      instead: { id: { param: "match" } },
      print: "output",
      local: ["follow", "raw"],
      note: "A terminal gets text and colours, without sequences that would act on it, such as those that set its title or clipboard; a pipe or file gets every byte. --follow prints what comes, after what the other options choose, until the shell ends or Ctrl-C: `get-shell-output 1 --follow | program` is what tmux calls pipe-pane.",
      examples: [
        "get-shell-output 1",
        "get-shell-output 1 --screen",
        "get-shell-output 1 --since 4096 --plain",
        "get-shell-output 1 --lines 20 --follow",
        "get-shell-output --match title:build --last-command",
      ],
    },
  ],
  run(context, { id, match, plain, screen, lastCommand, join, ...range }) {
    if (lastCommand && (screen || range.since !== undefined || range.chunks !== undefined)) {
      throw new RemoteError("invalid_params", "params.lastCommand: goes with lines, maxBytes and plain only.");
    }
    return context.ask("readOutput", {
      shell: resolveShell(context, { id, match }).id,
      ...range,
      lastCommand,
      join,
      format: screen ? "screen" : plain ? "plain" : "raw",
    });
  },
});
