import { setTimeout as delay } from "node:timers/promises";
import { peakOf, processorSeconds, residentOf } from "../support/process-cost.ts";
import type { Broker } from "./broker.ts";
import type { FleetQuantities } from "./capacity-model.ts";
import type { CommandFigures, Simulation } from "./simulation.ts";

/** Each relay sends one heartbeat in this time. */
const IDLE_SECONDS = 10;
const LOAD_SECONDS = 5;
/** Until the code of the members is compiled, commands would only queue. */
const WARM_UP_SECONDS = 3;
export const COMMANDS_PER_SECOND = 1_000;
/** The longest timeout that a command may have. */
const REACH_SECONDS = 60;

/** A broker and its members without commands. */
export interface IdleFigures {
  readonly quantities: FleetQuantities;
  /** As the broker counts them, its own among them. */
  readonly subscriptions: number;
  readonly brokerMegabytes: number;
  readonly memberMegabytes: number;
  /** Cores kept busy. */
  readonly brokerCores: number;
  readonly memberCores: number;
}

export interface LoadFigures extends CommandFigures {
  readonly perSecond: number;
  /** Microseconds of processor time of one command, without what the members cost idle. */
  readonly brokerCost: number;
  readonly memberCost: number;
}

export interface StormFigures extends CommandFigures {
  readonly connections: number;
  readonly entriesRead: number;
  /** Until each member had an answer from another one. */
  readonly seconds: number;
  /** Seconds of processor time. */
  readonly brokerSeconds: number;
  readonly memberSeconds: number;
  /** Most that the new broker has had. */
  readonly peakMegabytes: number;
}

/** Measures what members cost that only tell of themselves. `quantities` says how many there are. */
export async function measureIdle(
  broker: Broker,
  members: Simulation,
  quantities: FleetQuantities,
): Promise<IdleFigures> {
  const before = costOf(broker, members);
  await delay(IDLE_SECONDS * 1000);
  const after = costOf(broker, members);
  return {
    quantities,
    subscriptions: (await broker.counts()).subscriptions,
    brokerMegabytes: residentOf(broker.pid),
    memberMegabytes: members.residentMegabytes(),
    brokerCores: (after.broker - before.broker) / IDLE_SECONDS,
    memberCores: (after.members - before.members) / IDLE_SECONDS,
  };
}

/** Measures commands that members send each other. */
export async function measureLoad(
  broker: Broker,
  members: Simulation,
  { brokerCores, memberCores }: IdleFigures,
): Promise<LoadFigures> {
  await members.load(COMMANDS_PER_SECOND, WARM_UP_SECONDS);
  const before = costOf(broker, members);
  const startedAt = performance.now();
  const figures = await members.load(COMMANDS_PER_SECOND, LOAD_SECONDS);
  const seconds = (performance.now() - startedAt) / 1000;
  const after = costOf(broker, members);
  const cost = (used: number, idleCores: number) => ((used - idleCores * seconds) * 1e6) / figures.answered;
  return {
    ...figures,
    perSecond: figures.answered / seconds,
    brokerCost: cost(after.broker - before.broker, brokerCores),
    memberCost: cost(after.members - before.members, memberCores),
  };
}

/** Kills the broker, starts it again, and waits until every member has reached another one. */
export async function measureStorm(broker: Broker, members: Simulation, idle: IdleFigures): Promise<StormFigures> {
  await broker.kill();
  const before = members.processorSeconds();
  const startedAt = performance.now();
  const reaching = members.reach(REACH_SECONDS);
  broker.restart();
  const figures = await reaching;
  return {
    ...figures,
    connections: idle.quantities.relays,
    entriesRead: idle.quantities.entriesRead,
    seconds: (performance.now() - startedAt) / 1000,
    brokerSeconds: processorSeconds(broker.pid),
    memberSeconds: members.processorSeconds() - before,
    peakMegabytes: peakOf(broker.pid),
  };
}

function costOf(broker: Broker, members: Simulation): { broker: number; members: number } {
  return { broker: processorSeconds(broker.pid), members: members.processorSeconds() };
}
