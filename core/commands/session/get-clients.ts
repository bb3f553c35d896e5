import { z } from "zod";
import { ClientEntry } from "../../protocol/records.ts";
import { command } from "../command.ts";

export const getClients = command({
  area: "session",
  summary: "Connected clients with their ids, as `--client` takes them",
  params: z.object({}),
  result: z.array(ClientEntry),
  role: "reader",
  scope: "session",
  cli: [{ name: "list-users" }],
  run: ({ mirror }) =>
    mirror.clients.map(({ id, name, role, device, clientKind }) => ({
      id,
      name,
      canWrite: role !== "reader",
      device,
      clientKind,
    })),
});
