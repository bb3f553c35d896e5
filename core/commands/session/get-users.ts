import { z } from "zod";
import { User } from "../../protocol/records.ts";
import { command } from "../command.ts";

export const getUsers = command({
  area: "session",
  summary: "List the connected users and the focused tile of each",
  params: z.object({}),
  result: z.array(User),
  role: "reader",
  reads: "the names and devices of all who are connected",
  scope: "session",
  shortcut: "users",
  cli: [],
  run: ({ mirror }) =>
    mirror.clients.map(({ id, name, focus, role, device, guest }) => ({
      name,
      focus,
      canWrite: role !== "reader",
      device,
      id,
      role,
      ...(guest === undefined ? {} : { guest }),
    })),
});
