import { z } from "zod";
import { SessionRecord } from "../../protocol/records.ts";
import { command } from "../command.ts";

export const getSession = command({
  area: "session",
  summary: "Show the session: id, name, owner, and its numbers of users and running shells",
  params: z.object({}),
  result: SessionRecord,
  role: "reader",
  reads: "the session's name and owner",
  scope: "session",
  cli: [{ name: "get-session" }],
  run: ({ mirror }) => ({
    ...mirror.session,
    userCount: mirror.clients.length,
    shellCount: mirror.shells.filter((shell) => shell.running).length,
  }),
});
