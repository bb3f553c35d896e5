import { z } from "zod";
import { ShellRestrictions } from "../../protocol/shell-restrictions.ts";
import { command } from "../command.ts";

export const getShellRestrictions = command({
  area: "session",
  summary: "Show whether shells are restricted, which agents ask to control the session, and which always may",
  params: z.object({}),
  result: ShellRestrictions,
  role: "reader",
  reads: "which agents may control the session",
  scope: "session",
  cli: [{ name: "list-restrictions", print: "json" }],
  run: ({ mirror }) => mirror.restrictions,
});
