import type { FleetStatus } from "../../core/protocol/fleet.ts";
import { isAlive } from "../../main/system/processes/is-alive.ts";
import { connectWithKey } from "../connect/connect.ts";
import { exitCodeOf } from "../parse/exit-codes.ts";
import type { Check, CheckResult } from "./finding.ts";

/** Checks that the relay is in its fleet, that it alone serves its sessions, and which relays are away. */
export const checkFleet: Check = async ({ data, env, relay, inRelay }) => {
  if (inRelay !== undefined) return resultOf(inRelay.fleet());
  if (relay === undefined || !isAlive(relay.pid))
    return { state: "note", found: "No relay runs that could be in a fleet." };
  try {
    const client = await connectWithKey({ env }, { data, url: relay.url });
    return resultOf(await client.operation("getFleet", {}));
  } catch (error) {
    if (exitCodeOf(error) === undefined) throw error;
    const advice = "Give a key of the relay in SERVICE_TOKEN, then run `service fleet`.";
    return { state: "note", found: "Whether the relay is in a fleet could not be asked.", advice };
  }
};

function resultOf(status: FleetStatus): CheckResult {
  const { state, problem, conflicts, members } = status;
  const found = describeFleet(status);
  if (conflicts.length > 0) {
    const advice = "Two relays have the same sessions, as after copying a data folder: start one with another --data.";
    return { state: "problem", found, advice };
  }
  if (problem !== null || (state !== "off" && state !== "joined")) {
    const advice =
      "See whether the broker runs, and whether it has read the configuration with this relay's credentials.";
    return { state: "problem", found, advice };
  }
  const away = members.filter((member) => member.state === "away").map(({ name }) => name);
  if (away.length === 0) return { state: "ok", found };
  // A laptop that sleeps is no fault.
  return { state: "note", found: `${found} Away: ${away.join(", ")}.` };
}

/** Describes a relay's membership in a sentence. */
export function describeFleet({ state, broker, owner, name, problem, conflicts }: FleetStatus): string {
  if (state === "off" && problem !== null) return `The relay is not in the fleet at ${broker}: ${problem}`;
  if (state === "off") return "The relay is in no fleet.";
  const where = `the fleet of ${owner} at ${broker}, as ${name}`;
  const shared = conflicts.length === 0 ? "" : ` Another relay serves these of its sessions: ${conflicts.join(", ")}.`;
  if (state === "joined" && problem === null) return `The relay is in ${where}.${shared}`;
  return `The relay is ${state === "joined" ? "" : "not "}in ${where}: ${problem ?? "the broker is away"}.${shared}`;
}
