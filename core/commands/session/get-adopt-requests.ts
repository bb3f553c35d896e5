import { z } from "zod";
import { AdoptRequest } from "../../protocol/records.ts";
import { command } from "../command.ts";

export const getAdoptRequests = command({
  area: "session",
  summary: "List the open requests to adopt a shell, with the ids for `answer-adopt`",
  params: z.object({}),
  result: z.array(AdoptRequest),
  role: "reader",
  reads: "who asks for which shell",
  scope: "session",
  cli: [{ name: "list-requests" }],
  run: ({ mirror }) => mirror.adoptRequests,
});
