import type { Stops } from "./support/stops.mjs";

/** What the benchmark runner passes to a benchmark. */
export interface BenchContext {
  /** Ends everything that the benchmark starts or writes to disk, also when it is stopped early. */
  readonly stops: Stops;
  /** Aborted when the benchmark is stopped. */
  readonly signal: AbortSignal;
  /** One line for the user, beside the figures. */
  readonly log: (line: string) => void;
  /** Duration of benchmarks that observe over time. */
  readonly minutes?: number;
}
