import { z } from "zod";
import { FleetStatus } from "../protocol/fleet.ts";
import { operation } from "./operation.ts";

/** The relays of other machines that this one has joined. */
export const fleetOperations = {
  getFleet: operation({
    summary: "Show the fleet: this relay's membership, and the other relays",
    details: "For keys of the relay's owner. `state` is `off` for a relay that is in no fleet.",
    params: z.object({}),
    result: FleetStatus,
    access: "read",
    owner: "relay",
    effect: "read",
    http: { method: "GET", path: "fleet" },
    panel: true,
  }),
  joinFleet: operation({
    summary: "Join a fleet, in place of the one that the relay is in",
    details:
      "Answers when the relay has joined, or with the `problem` of the first attempt; it goes on trying. Credentials that cannot be used are refused, and nothing changes. Kept for later starts without `--fleet`.",
    params: z.object({
      broker: z
        .string()
        .min(1)
        .max(1000)
        .describe("addresses of the broker, such as nats://192.0.2.7:4222, with commas"),
      credentials: z
        .string()
        .min(1)
        .max(4096)
        .describe("absolute path of the credentials file, on the relay's machine"),
    }),
    result: FleetStatus,
    access: "unrestricted",
    owner: "relay",
    closedToAgents: true,
    closedToAutomation: true,
    effect: "change",
    http: { method: "PUT", path: "fleet" },
    panel: true,
  }),
  leaveFleet: operation({
    summary: "Leave the fleet",
    details:
      "What the fleet carries ends at once: requests under way, streams and clients in both directions. Later starts without `--fleet` do not join again. The broker still knows the relay: see `service fleet remove`.",
    params: z.object({}),
    result: FleetStatus,
    access: "unrestricted",
    owner: "relay",
    closedToAgents: true,
    closedToAutomation: true,
    effect: "change",
    http: { method: "DELETE", path: "fleet" },
    panel: true,
  }),
} as const;
