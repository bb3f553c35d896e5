import { z } from "zod";
import { RoleRequest } from "../../protocol/records.ts";
import { command } from "../command.ts";

export const getRoleRequests = command({
  area: "session",
  summary: "List the people who ask to type, with the ids for `answer-role-request`",
  params: z.object({}),
  result: z.array(RoleRequest),
  role: "reader",
  reads: "who asks to type",
  scope: "session",
  cli: [{ name: "list-role-requests" }],
  run: ({ mirror }) => mirror.roleRequests,
});
