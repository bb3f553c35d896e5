import { z } from "zod";
import { ShellId } from "../../protocol/ids.ts";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";
import { atMostOneOf } from "../fields.ts";

export const getShellOutput = command({
  area: "shells",
  summary: "What a shell has printed",
  details:
    "Without options: all that is kept, at least the last 4 MiB. A chunk is one piece as delivered. `since` is a cursor: pass the `end` of the last answer to read on; `missed` counts bytes dropped in between.",
  params: atMostOneOf(
    z.object({
      id: ShellId.describe("the shell"),
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
  scope: "session",
  cli: [
    {
      name: "get-shell-output",
      args: ["id"],
      print: "output",
      examples: ["get-shell-output 1", "get-shell-output 1 --screen", "get-shell-output 1 --since 4096 --plain"],
    },
  ],
  run(context, { id, plain, screen, ...range }) {
    return context.delegate("readOutput", {
      shell: context.shell(id).id,
      ...range,
      format: screen ? "screen" : plain ? "plain" : "raw",
    });
  },
});
