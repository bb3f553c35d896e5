/** One figure of a benchmark, as the benchmark runner prints it. */
export interface BenchRow {
  readonly name: string;
  /** null if it could not be measured here; `note` says why. */
  readonly value: number | null;
  readonly unit: string;
  /** The comparison, measured in the same run and unit. */
  readonly baseline?: Baseline;
  /** The figure as a multiple of its baseline. */
  readonly ratio?: number;
  /** The goal in words. */
  readonly goal?: string;
  /** Whether the goal was met; absent where there is none, or nothing could be measured. */
  readonly ok?: boolean;
  readonly note?: string;
}

export interface Baseline {
  readonly name: string;
  readonly value: number;
}
