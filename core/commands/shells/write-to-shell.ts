import { z } from "zod";
import { ShellId } from "../../protocol/ids.ts";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";
import { shellOrSource } from "./meant-shell.ts";

export const writeToShell = command({
  area: "shells",
  summary: "Write to a shell, as if typed",
  details: "`\\n` in the data, and a real newline, is the Enter key (a carriage return), unless `raw` is set.",
  params: z.object({
    id: ShellId.optional().describe("the shell; default: the one you are in"),
    data: z.string().describe("what to write"),
    raw: z.boolean().default(false).describe("send the bytes as they are"),
  }),
  result: relayOps.writeShell.result,
  role: "writer",
  scope: "session",
  touches: { shell: "id" },
  sensitive: ["data"],
  cli: [{ name: "write-to-shell", args: ["id", "data"], examples: ["write-to-shell 1 'make test\\n'"] }],
  run: (context, { id, data, raw }) =>
    context.delegate("writeShell", { shell: shellOrSource(context, id).id, data, raw }),
});
