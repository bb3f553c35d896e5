import { z } from "zod";
import { FleetStatus } from "../protocol/fleet.ts";
import { operation } from "./operation.ts";

/** The relays of other machines that this one has joined. */
export const fleetOperations = {
  getFleet: operation({
    summary: "Show the fleet: this relay's membership, and the other relays",
    details: "For keys of the relay's owner. `state` is `off` for a relay that was started without `--fleet`.",
    params: z.object({}),
    result: FleetStatus,
    access: "read",
    owner: "relay",
    effect: "read",
    http: { method: "GET", path: "fleet" },
  }),
} as const;
