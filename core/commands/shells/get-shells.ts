import { z } from "zod";
import { Shell } from "../../protocol/records.ts";
import { command } from "../command.ts";

export const getShells = command({
  area: "shells",
  summary: "All shells of the session, also those that have ended",
  params: z.object({}),
  result: z.array(Shell),
  role: "reader",
  scope: "session",
  shortcut: "shells",
  cli: [{ name: "list-shells", columns: ["id", "title", "cwd", "process", "running", "exitCode", "owner"] }],
  run: ({ mirror }) => mirror.shells,
});
