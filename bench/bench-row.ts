/** One figure of a benchmark, as the benchmark runner prints it. */
export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What the figure should be, in words. */
  readonly goal?: string;
  /** Whether the goal was met; absent where there is none. */
  readonly ok?: boolean;
}
