import { z } from "zod";
import { Role } from "../../protocol/records.ts";
import { command } from "../command.ts";

export const getRole = command({
  area: "session",
  summary: "Show the role of the executing client: admin, writer or reader",
  params: z.object({}),
  result: z.object({ role: Role }),
  role: "reader",
  scope: "client",
  onScreen: false,
  cli: [{ name: "get-role" }],
  run: ({ self }) => ({ role: self.role }),
});
