import { z } from "zod";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";
import { guarded } from "../fields.ts";
import { resolveShellOrSource, shellOrOwnTarget } from "./resolve-shell.ts";

export const writeToShell = command({
  area: "shells",
  summary: "Write to a shell, as if typed",
  details:
    "`\\n` in the data, and a real newline, is the Enter key (a carriage return), unless `raw` is set. With `literal` a real newline is Enter, and a backslash and an n are these two characters.",
  params: z.object({
    ...shellOrOwnTarget,
    data: z.string().describe("what to write"),
    literal: z.boolean().default(false).describe("a backslash and an n are these two characters, not Enter"),
    raw: z.boolean().default(false).describe("send the bytes as they are"),
    ...guarded,
  }),
  result: relayOps.writeShell.result,
  role: "writer",
  scope: "session",
  touches: { shell: "id" },
  sensitive: ["data"],
  cli: [
    {
      name: "write-to-shell",
      args: ["id", "data"],
      local: ["file"],
      note: "A single dash for the data reads it from the standard input as it comes (`write-to-shell 1 - < script.sh`), and --file reads a file: UTF-8 text, with --literal implied unless --raw is given. To type a dash itself, use send-keys.",
      examples: [
        "write-to-shell 1 'make test\\n'",
        "write-to-shell 1 'make test\\n' --guard --expect shell",
        "write-to-shell 1 -",
      ],
    },
  ],
  run: (context, { id, match, ...input }) =>
    context.ask("writeShell", { shell: resolveShellOrSource(context, { id, match }).id, ...input }),
});
