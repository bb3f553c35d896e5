import { z } from "zod";
import { ClientId } from "../protocol/ids.ts";
import { Role } from "../protocol/records.ts";
import { operation } from "./operation.ts";
import { SessionParam } from "./sessions.ts";

const ClientParam = ClientId.describe("Id of the connected client.");

export const clientOperations = {
  changeRole: operation({
    summary: "Give a connected client another role",
    details: "At once, and each time that the client comes back. The relay's own client on its machine stays an admin.",
    params: z.object({ session: SessionParam, client: ClientParam, role: Role }),
    result: z.object({ client: ClientId, role: Role }),
    access: "unrestricted",
    closedToAutomation: true,
    effect: "change",
    http: { method: "PATCH", path: "sessions/:session/clients/:client" },
    cli: {
      word: "clients",
      action: "role",
      wordSummary: "change the role of a connected client, or disconnect it",
      args: ["client", "role"],
      examples: ["clients role 3 reader"],
    },
    panel: true,
  }),
  disconnectClient: operation({
    summary: "Disconnect a client",
    details: "A guest needs a new invite to come back.",
    params: z.object({ session: SessionParam, client: ClientParam }),
    result: z.object({ client: ClientId }),
    access: "unrestricted",
    effect: "change",
    http: { method: "DELETE", path: "sessions/:session/clients/:client" },
    cli: { word: "clients", action: "disconnect", args: ["client"], examples: ["clients disconnect 3"] },
    panel: true,
  }),
} as const;
