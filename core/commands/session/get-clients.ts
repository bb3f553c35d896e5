import { z } from "zod";
import { ClientListing } from "../../protocol/records.ts";
import { command } from "../command.ts";

export const getClients = command({
  area: "session",
  summary: "List the connected clients with their ids, for `--client`",
  params: z.object({}),
  result: z.array(ClientListing),
  role: "reader",
  reads: "the names and devices of all who are connected",
  scope: "session",
  cli: [{ name: "list-users" }],
  run: ({ mirror }) =>
    mirror.clients.map(({ id, name, role, device, clientKind, guest, focus, connectedAt, activeAt = connectedAt }) => ({
      id,
      name,
      canWrite: role !== "reader",
      device,
      clientKind,
      ...(guest === undefined ? {} : { guest }),
      role,
      focus,
      connectedAt,
      activeAt,
    })),
});
