import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { Broker } from "./fleet/broker.ts";
import { capacityRows, measureOneOwner, measureOwnersOfThree, ownersOfThree } from "./fleet/capacity.ts";
import { outputRow } from "./fleet/output.ts";
import { commandRows, costName, REAL_RELAYS, startRealRelays, warmUp } from "./fleet/real-relays.ts";
import { Simulation } from "./fleet/simulation.ts";
import { compared } from "./support/rows.ts";

// The processes of simulated members run this file too.
export { serveSimulatedMembers } from "./fleet/simulated-members.ts";

const OWNER = "bench";

/**
 * Measures a fleet at the real nats-server with TLS. Commands and output through a foreign relay are those of three built
 * relays, beside the same ones at the relay of the session. What grows with the number of relays is measured with
 * simulated members: their connections, directory, heartbeats, subscriptions and proofs are those of the product, the
 * relay behind them is not.
 */
export async function run(context: BenchContext): Promise<BenchRow[]> {
  const { stops, log } = context;
  const owners = ownersOfThree();
  const broker = await Broker.start(stops, [{ owner: OWNER, members: REAL_RELAYS }, ...owners]);
  const real = await startRealRelays(stops, broker, OWNER);
  log("commands and output at three real relays");
  await warmUp(real);
  const few = await commandRows(real, "3 relays");
  const output = await outputRow(real);
  const members = new Simulation(stops, import.meta.url, broker);
  const manyOwners = await measureOwnersOfThree(context, { broker, members, owners });
  log("commands at the real relays among them");
  const name = `${members.members} members more`;
  const many = await commandRows(real, name);
  await members.stop();
  const oneOwner = await measureOneOwner(context, import.meta.url);
  const figure = "processor time of a foreign command beside a local one, many members";
  const baseline = { name: "3 relays", value: ratioIn(few, costName("3 relays")) };
  return [
    ...few,
    ...many,
    compared(figure, ratioIn(many, costName(name)), "x", baseline, { within: 1.15 }),
    output,
    ...capacityRows(oneOwner, manyOwners),
  ];
}

function ratioIn(rows: readonly BenchRow[], name: string): number {
  return rows.find((row) => row.name === name)?.ratio ?? 0;
}
