import type { BenchContext } from "../bench-context.ts";
import type { BenchRow } from "../bench-row.ts";
import { medianOf } from "../support/median.ts";
import { residentOf } from "../support/process-cost.ts";
import { compared, plain } from "../support/rows.ts";
import { Broker, type FleetOwner } from "./broker.ts";
import { type Coefficients, leastSquares, predict, quantitiesOf } from "./capacity-model.ts";
import { dial } from "./real-relays.ts";
import { SESSIONS_EACH, Simulation } from "./simulation.ts";
import {
  COMMANDS_PER_SECOND,
  type IdleFigures,
  type LoadFigures,
  measureIdle,
  measureLoad,
  measureStorm,
  type StormFigures,
} from "./stages.ts";

/** Relays of the one owner, and of owners with three relays each. */
const ONE_OWNER_SIZES = [3, 30, 100, 300];
const OWNERS_OF_THREE = [10, 100];
const RELAYS_EACH = 3;
const MORE_SUBSCRIPTIONS = 30_000;
const USERS = 100_000;

/** What was measured of simulated members. */
export interface CapacityFigures {
  readonly idle: readonly IdleFigures[];
  readonly loads: readonly { readonly relays: number; readonly load: LoadFigures }[];
  readonly storms: readonly { readonly name: string; readonly storm: StormFigures }[];
}

/** Relays of one owner, simulated up to each of the sizes, at a broker of their own. */
export async function measureOneOwner({ stops, log }: BenchContext, program: string): Promise<CapacityFigures> {
  const names = Array.from({ length: Math.max(...ONE_OWNER_SIZES) }, (_, index) => `simulated-${index}`);
  const broker = await Broker.start(stops, [{ owner: "one", members: names }]);
  const members = new Simulation(stops, program, broker);
  const idle: IdleFigures[] = [];
  const loads: { relays: number; load: LoadFigures }[] = [];
  for (const size of ONE_OWNER_SIZES) {
    log(`one owner, ${size} simulated relays`);
    await members.join([{ owner: "one", members: names.slice(members.members, size) }]);
    const quantities = quantitiesOf({ owners: 1, relaysEach: size, sessionsEach: SESSIONS_EACH });
    const figures = await measureIdle(broker, members, quantities);
    idle.push(figures);
    loads.push({ relays: size, load: await measureLoad(broker, members, figures) });
  }
  log("restarting the broker");
  const last = idle.at(-1);
  const storms = last === undefined ? [] : [{ name: "one owner", storm: await measureStorm(broker, members, last) }];
  await members.stop();
  await broker.stop();
  return { idle, loads, storms };
}

/** Owners with three relays each. */
export function ownersOfThree(): FleetOwner[] {
  return Array.from({ length: Math.max(...OWNERS_OF_THREE) }, (_, index): FleetOwner => {
    const owner = `owner-${index}`;
    return { owner, members: Array.from({ length: RELAYS_EACH }, (__, relay) => `${owner}-relay-${relay}`) };
  });
}

/** Simulated relays of owners with three each, at a broker that serves one owner with three real relays too. */
export async function measureOwnersOfThree(
  { log }: BenchContext,
  { broker, members, owners }: { broker: Broker; members: Simulation; owners: readonly FleetOwner[] },
): Promise<CapacityFigures> {
  const idle: IdleFigures[] = [];
  for (const count of OWNERS_OF_THREE) {
    log(`${count} owners of three simulated relays`);
    await members.join(owners.slice(members.owners.length, count));
    const quantities = quantitiesOf({ owners: count + 1, relaysEach: RELAYS_EACH, sessionsEach: SESSIONS_EACH });
    idle.push(await measureIdle(broker, members, quantities));
  }
  const last = idle.at(-1);
  if (last === undefined) throw new Error("no size was measured");
  const loads = [{ relays: members.members, load: await measureLoad(broker, members, last) }];
  idle.push(await withMoreSubscriptions(broker, last));
  log("restarting the broker");
  const storms = [{ name: `${owners.length + 1} owners`, storm: await measureStorm(broker, members, last) }];
  return { idle, loads, storms };
}

/** The same broker while one relay has many subscriptions more. Only its memory is measured. */
async function withMoreSubscriptions(broker: Broker, before: IdleFigures): Promise<IdleFigures> {
  const connection = await dial(broker, "owner-0", "owner-0-relay-0");
  for (let index = 0; index < MORE_SUBSCRIPTIONS; index += 1) {
    connection.subscribe(`patchbay.v1.owner-0.more-${index}.*`, { queue: "relay", callback: () => undefined });
  }
  await connection.flush();
  const figures = {
    ...before,
    quantities: { ...before.quantities, subscriptions: before.quantities.subscriptions + MORE_SUBSCRIPTIONS },
    subscriptions: (await broker.counts()).subscriptions,
    brokerMegabytes: residentOf(broker.pid),
  };
  await connection.close();
  return figures;
}

/** Fits the model to all that was measured of brokers. */
export function coefficientsOf(all: readonly CapacityFigures[]): Coefficients {
  const idle = all.flatMap((figures) => figures.idle);
  const [base = 0, owner = 0, relay = 0, subscription = 0] = leastSquares(
    idle.map(({ quantities, brokerMegabytes }) => ({
      terms: [1, quantities.owners, quantities.relays, quantities.subscriptions],
      value: brokerMegabytes,
    })),
  );
  const [relaySecond = 0, delivery = 0] = leastSquares(
    idle.map(({ quantities, brokerCores }) => ({
      terms: [quantities.relays, quantities.deliveriesPerSecond],
      value: brokerCores * 1e6,
    })),
  );
  const [reconnect = 0, entry = 0] = leastSquares(
    all.flatMap(({ storms }) =>
      storms.map(({ storm }) => ({ terms: [storm.connections, storm.entriesRead], value: storm.brokerSeconds * 1e6 })),
    ),
  );
  return {
    baseMegabytes: base,
    ownerKilobytes: owner * 1024,
    relayKilobytes: relay * 1024,
    subscriptionKilobytes: subscription * 1024,
    relayMicroseconds: relaySecond,
    deliveryMicroseconds: delivery,
    commandMicroseconds: medianOf(all.flatMap(({ loads }) => loads.map(({ load }) => load.brokerCost))),
    reconnectMilliseconds: reconnect / 1e3,
    entryMicroseconds: entry,
  };
}

/** The figures of the simulation, the coefficients, and what they predict. */
export function capacityRows(oneOwner: CapacityFigures, manyOwners: CapacityFigures): BenchRow[] {
  const all = [oneOwner, manyOwners];
  const coefficients = coefficientsOf(all);
  const many = predict({ owners: USERS, relaysEach: RELAYS_EACH, sessionsEach: SESSIONS_EACH }, coefficients);
  const names = `${USERS.toLocaleString("en")} owners of three, calculated`;
  return [
    ...all.flatMap(({ idle, loads, storms }) => [...idleRows(idle), ...loadRows(loads), ...stormRows(storms)]),
    ...costRows(oneOwner.loads[0], manyOwners.loads.at(-1)),
    plain("broker: memory, empty", coefficients.baseMegabytes, "MB"),
    plain("broker: memory of an owner", coefficients.ownerKilobytes, "kB"),
    plain("broker: memory of a relay", coefficients.relayKilobytes, "kB"),
    plain("broker: memory of a subscription", coefficients.subscriptionKilobytes, "kB"),
    plain("broker: processor time of a relay, each second", coefficients.relayMicroseconds, "µs"),
    plain("broker: processor time of a heartbeat to one relay", coefficients.deliveryMicroseconds, "µs"),
    plain("broker: processor time of a command", coefficients.commandMicroseconds, "µs"),
    plain("broker: processor time of a reconnect", coefficients.reconnectMilliseconds, "ms"),
    plain("broker: processor time of an entry read at it", coefficients.entryMicroseconds, "µs"),
    plain(`${names}: memory`, many.megabytes / 1024, "GB"),
    plain(`${names}: cores for heartbeats`, many.idleCores, "cores"),
    plain(`${names}: processor time of a restart`, many.reconnectSeconds, "s"),
  ];
}

function idleRows(idle: readonly IdleFigures[]): BenchRow[] {
  return idle.flatMap(({ quantities, subscriptions, brokerMegabytes, memberMegabytes, brokerCores, memberCores }) => {
    const { owners, relays, deliveriesPerSecond } = quantities;
    const name = `${relays} relays of ${owners === 1 ? "one owner" : `${owners} owners`}, ${subscriptions} subscriptions`;
    return [
      plain(`${name}: memory of the broker`, brokerMegabytes, "MB"),
      plain(`${name}: memory of a member`, memberMegabytes / relays, "MB"),
      plain(`${name}: heartbeats delivered`, deliveriesPerSecond, "a second"),
      plain(`${name}: the broker, idle`, brokerCores * 100, "% of a core"),
      plain(`${name}: all members, idle`, memberCores * 100, "% of a core"),
    ];
  });
}

function loadRows(loads: CapacityFigures["loads"]): BenchRow[] {
  return loads.flatMap(({ relays, load }) => {
    const name = `${relays} simulated relays, commands`;
    const sent = { name: "sent", value: COMMANDS_PER_SECOND };
    return [
      compared(`${name}: reached`, load.perSecond, "a second", sent, { atLeast: 0.95 }),
      { ...plain(`${name}: p50`, load.p50, "ms"), ...failureNote(load.failed) },
      plain(`${name}: p99`, load.p99, "ms"),
      plain(`${name}: processor time of the broker`, load.brokerCost, "µs"),
      plain(`${name}: processor time of both members`, load.memberCost, "µs"),
    ];
  });
}

/** Among many relays of one owner, what their heartbeats cost beside commands is not known: less than idle, because both go together. */
function costRows(few: CapacityFigures["loads"][number] | undefined, many: typeof few): BenchRow[] {
  if (few === undefined || many === undefined) return [];
  const cost = ({ load }: typeof few) => load.brokerCost + load.memberCost;
  const baseline = { name: `${few.relays} relays`, value: cost(few) };
  const name = `${many.relays} simulated relays of owners of three: processor time of a command`;
  return [compared(name, cost(many), "µs", baseline, { within: 1.15 })];
}

function stormRows(storms: CapacityFigures["storms"]): BenchRow[] {
  return storms.flatMap(({ name, storm }) => {
    const all = `${storm.connections} relays of ${name}, broker killed`;
    return [
      { ...plain(`${all}: until all are back`, storm.seconds, "s"), ...failureNote(storm.failed) },
      plain(`${all}: until half are back`, storm.p50 / 1000, "s"),
      plain(`${all}: handshakes`, storm.connections / storm.seconds, "a second"),
      plain(`${all}: processor time of the broker`, storm.brokerSeconds, "s"),
      plain(`${all}: processor time of a member`, (storm.memberSeconds * 1000) / storm.connections, "ms"),
      plain(`${all}: peak memory of the broker`, storm.peakMegabytes, "MB"),
    ];
  });
}

function failureNote(failed: number): Pick<BenchRow, "note"> {
  return failed === 0 ? {} : { note: `${failed} were not answered` };
}
