import type { fleetOperations } from "../../../core/operations/fleet.ts";
import type { FleetStatus } from "../../../core/protocol/fleet.ts";
import type { SessionRecord } from "../../../core/protocol/records.ts";
import type { Principal } from "../access/keys.ts";
import type { Handlers } from "./operations.ts";

/** The fleet that a relay is in, as its operations use it. */
export interface FleetView {
  /** Returns the sessions of other relays that accept the caller's key, and those of relays that are away. */
  sessionsFor(principal: Principal): Promise<readonly SessionRecord[]>;
  status(): FleetStatus;
}

const OFF: FleetStatus = {
  state: "off",
  broker: null,
  owner: null,
  name: null,
  problem: null,
  members: [],
  conflicts: [],
};

/** `fleet`: returns the fleet; undefined while the relay is in none. */
export function fleetHandlers(fleet: () => FleetView | undefined): Handlers<keyof typeof fleetOperations> {
  return { getFleet: () => fleet()?.status() ?? OFF };
}
