/** What a broker serves: owners with the same number of relays each. */
export interface FleetSize {
  readonly owners: number;
  readonly relaysEach: number;
  readonly sessionsEach: number;
}

/** A fleet's quantities that cost something, which follow from its size. */
export interface FleetQuantities {
  readonly owners: number;
  /** Connections, and watchers of the directory: one of each for a relay. */
  readonly relays: number;
  readonly subscriptions: number;
  /** Heartbeats to the watchers of the same owner. */
  readonly deliveriesPerSecond: number;
  /** Entries of the directory that are read when all relays connect again: a record and a heartbeat for each pair. */
  readonly entriesRead: number;
}

/** What is measured of a broker. All but `baseMegabytes` is for one of what it names. */
export interface Coefficients {
  readonly baseMegabytes: number;
  readonly ownerKilobytes: number;
  readonly relayKilobytes: number;
  readonly subscriptionKilobytes: number;
  /** Each second, for its heartbeats and pings. */
  readonly relayMicroseconds: number;
  /** Of one heartbeat to one relay. */
  readonly deliveryMicroseconds: number;
  readonly commandMicroseconds: number;
  readonly reconnectMilliseconds: number;
  readonly entryMicroseconds: number;
}

/** What a broker needs for a fleet. */
export interface Prediction extends FleetQuantities {
  readonly megabytes: number;
  /** Cores that heartbeats and pings keep busy. */
  readonly idleCores: number;
  /** Seconds of processor time until all relays are back after a restart. */
  readonly reconnectSeconds: number;
}

const HEARTBEAT_SECONDS = 10;
/** Those of a relay beside one for each session: for itself, for answers, for the library's inbox, and for its watcher. */
const SUBSCRIPTIONS_EACH = 4;

export function quantitiesOf({ owners, relaysEach, sessionsEach }: FleetSize): FleetQuantities {
  const relays = owners * relaysEach;
  return {
    owners,
    relays,
    subscriptions: relays * (sessionsEach + SUBSCRIPTIONS_EACH),
    deliveriesPerSecond: (relays * relaysEach) / HEARTBEAT_SECONDS,
    entriesRead: 2 * relays * relaysEach,
  };
}

/** Predicts what a broker needs for a fleet. Commands come in addition: `commandMicroseconds` each. */
export function predict(size: FleetSize, coefficients: Coefficients): Prediction {
  const quantities = quantitiesOf(size);
  const { owners, relays, subscriptions, deliveriesPerSecond, entriesRead } = quantities;
  const kilobytes =
    owners * coefficients.ownerKilobytes +
    relays * coefficients.relayKilobytes +
    subscriptions * coefficients.subscriptionKilobytes;
  const microsecondsPerSecond =
    relays * coefficients.relayMicroseconds + deliveriesPerSecond * coefficients.deliveryMicroseconds;
  const reconnectMicroseconds =
    relays * coefficients.reconnectMilliseconds * 1e3 + entriesRead * coefficients.entryMicroseconds;
  return {
    ...quantities,
    megabytes: coefficients.baseMegabytes + kilobytes / 1024,
    idleCores: microsecondsPerSecond / 1e6,
    reconnectSeconds: reconnectMicroseconds / 1e6,
  };
}

/** A machine for a broker, and what it may be used for. */
export interface BrokerMachine {
  readonly cores: number;
  readonly megabytes: number;
  /** Cores that may be busy without a command. */
  readonly idleCores: number;
  /** Seconds within which all relays shall be back after a restart. */
  readonly restartSeconds: number;
}

/** Returns how many owners of a kind a broker on a machine can serve, by each of its limits. */
export function ownersServed(
  { cores, megabytes, idleCores, restartSeconds }: BrokerMachine,
  each: Omit<FleetSize, "owners">,
  coefficients: Coefficients,
): { readonly byMemory: number; readonly byHeartbeats: number; readonly byRestart: number } {
  const one = predict({ ...each, owners: 1 }, coefficients);
  return {
    byMemory: Math.floor((megabytes - coefficients.baseMegabytes) / (one.megabytes - coefficients.baseMegabytes)),
    byHeartbeats: Math.floor(idleCores / one.idleCores),
    byRestart: Math.floor((restartSeconds * cores) / one.reconnectSeconds),
  };
}

/** One measurement: how much there was of each term, and what it cost together. */
export interface Sample {
  readonly terms: readonly number[];
  readonly value: number;
}

/**
 * Returns the coefficients, none below 0, with which the terms come nearest to the values (least squares). A term that the
 * samples do not need gets 0.
 */
export function leastSquares(samples: readonly Sample[]): number[] {
  const count = samples[0]?.terms.length ?? 0;
  const used = Array.from({ length: count }, (_, index) => index);
  for (;;) {
    const found = solve(samples, used);
    const least = found.indexOf(Math.min(...found));
    if (used.length === 0 || (found[least] ?? 0) >= 0) {
      return Array.from({ length: count }, (_, index) => found[used.indexOf(index)] ?? 0);
    }
    used.splice(least, 1);
  }
}

/** Solves the normal equations of the terms in use, by elimination. */
function solve(samples: readonly Sample[], used: readonly number[]): number[] {
  const term = ({ terms }: Sample, index: number) => terms[used[index] ?? 0] ?? 0;
  const sum = (of: (sample: Sample) => number) => samples.reduce((total, sample) => total + of(sample), 0);
  const rows = used.map((_, row) => [
    ...used.map((__, column) => sum((sample) => term(sample, row) * term(sample, column))),
    sum((sample) => term(sample, row) * sample.value),
  ]);
  for (const [at, pivot] of rows.entries()) {
    const scale = pivot[at] ?? 0;
    if (Math.abs(scale) < Number.EPSILON) throw new RangeError("the samples do not tell the terms apart");
    for (const [index, row] of rows.entries()) {
      if (index === at) continue;
      const factor = (row[at] ?? 0) / scale;
      for (const column of row.keys()) row[column] = (row[column] ?? 0) - factor * (pivot[column] ?? 0);
    }
  }
  return rows.map((row, at) => (row.at(-1) ?? 0) / (row[at] ?? 1));
}
