import { z } from "zod";
import { Timestamp } from "./records.ts";

/** A relay of the fleet, as the directory has it. */
export const FleetMember = z.object({
  name: z.string(),
  member: z.string().describe("public key of the relay's credentials"),
  state: z.enum(["present", "away"]),
  awaySince: Timestamp.nullable().describe("when the relay was last heard of; null while it is present"),
  version: z.string(),
  sessions: z.int().describe("number of its sessions"),
  isSelf: z.boolean().describe("whether it is the relay that answers"),
});
export type FleetMember = z.infer<typeof FleetMember>;

/** State of a relay's membership. */
export const FleetStatus = z
  .object({
    state: z.enum(["off", "connecting", "joined", "disconnected"]).describe("`off`: the relay is in no fleet"),
    broker: z.string().nullable().describe("address of the broker"),
    owner: z.string().nullable(),
    name: z.string().nullable().describe("name of this relay in the fleet"),
    problem: z.string().nullable().describe("what does not work, in one sentence"),
    members: z.array(FleetMember),
    conflicts: z.array(z.string()).describe("sessions of this relay that another relay serves too, by id"),
  })
  .meta({ id: "FleetStatus" });
export type FleetStatus = z.infer<typeof FleetStatus>;

/** Another relay of the fleet, with the sessions that it says it serves. */
export interface FleetMachine {
  readonly name: string;
  /** Public key of its credentials. */
  readonly member: string;
  readonly isPresent: boolean;
  /** When it was last heard of (ISO 8601). */
  readonly lastSeen: string;
  readonly version: string;
  readonly sessions: readonly { readonly id: string; readonly name: string }[];
}
