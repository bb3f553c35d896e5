import type { fleetOperations } from "../../../core/operations/fleet.ts";
import type { OperationParams } from "../../../core/operations/index.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { FleetMachine, FleetStatus } from "../../../core/protocol/fleet.ts";
import type { Question } from "../../../core/protocol/questions.ts";
import type { SessionRecord } from "../../../core/protocol/records.ts";
import type { Principal } from "../access/keys.ts";
import type { Handlers } from "../calls/calls.ts";
import { FleetError } from "../net/fleet-peer.ts";

/** The fleet that a relay is in, as its operations use it. */
export interface FleetView {
  /** Returns the sessions of other relays that accept the caller's key, and those of relays that are away. */
  sessionsFor(principal: Principal): Promise<readonly SessionRecord[]>;
  status(): FleetStatus;
  /** The other relays, with the sessions that they say they serve. */
  others(): readonly FleetMachine[];
  /**
   * Returns the open questions of a relay that is away, as it last wrote them.
   *
   * @param member public key of its credentials
   */
  keptQuestions(member: string): Promise<readonly Question[]>;
}

/** Joins and leaves fleets while the relay runs. */
export interface FleetMembership {
  /** Address of the broker that the relay would join at its next start; undefined for none. */
  readonly kept: string | undefined;
  /** Why the relay could not begin to join that at its start; undefined if it could. */
  readonly problem: string | undefined;
  /** Resolves when the relay has joined, or its first attempt has failed. Rejects with a FleetError. */
  join(fleet: OperationParams<"joinFleet">): Promise<void>;
  /** Resolves when everything of the fleet has ended. */
  leave(): Promise<void>;
}

const OFF = { state: "off", owner: null, name: null, members: [], conflicts: [] } as const;

interface FleetSources {
  /** Returns the fleet; undefined while the relay is in none. */
  readonly fleet: () => FleetView | undefined;
  /** Undefined for a relay that is part of another program and joins no fleets itself. */
  readonly membership: () => FleetMembership | undefined;
}

/** Returns the relay's membership of a fleet, also while it is in none. */
export function fleetStatus({ fleet, membership }: FleetSources): FleetStatus {
  const { kept = null, problem = null } = membership() ?? {};
  return fleet()?.status() ?? { ...OFF, members: [], conflicts: [], broker: kept, problem };
}

export function fleetHandlers({ fleet, membership }: FleetSources): Handlers<keyof typeof fleetOperations> {
  const status = () => fleetStatus({ fleet, membership });
  const known = () => {
    const found = membership();
    if (found === undefined) throw new RemoteError("invalid_request", "This relay joins no fleets.");
    return found;
  };
  return {
    getFleet: status,
    async joinFleet(wanted) {
      try {
        await known().join(wanted);
      } catch (error) {
        if (error instanceof FleetError) throw new RemoteError("invalid_params", sentenceOf(error));
        throw error;
      }
      return status();
    },
    async leaveFleet() {
      await known().leave();
      return status();
    },
  };
}

/** The errors name the options of `serve`, which the caller has not used. */
function sentenceOf({ message }: FleetError): string {
  return message.replace(/^--fleet-creds: /, "credentials: ").replace(/^--fleet: /, "broker: ");
}
