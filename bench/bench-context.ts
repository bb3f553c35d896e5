import type { Stops } from "./support/stops.mjs";

/** What the benchmark runner lends a benchmark. */
export interface BenchContext {
  /** Everything that the benchmark starts or puts on disk ends with them, also when it is stopped half-way. */
  readonly stops: Stops;
  /** Aborted when the benchmark is stopped. */
  readonly signal: AbortSignal;
  /** One line for the user, beside the figures. */
  readonly log: (line: string) => void;
  /** For how long a benchmark that watches something does so. */
  readonly minutes?: number;
}
