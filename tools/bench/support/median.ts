/** Returns the median; 0 for an empty list. */
export function medianOf(values: readonly number[]): number {
  return quantileOf(values, 0.5);
}

/** Returns the quantile for a share from 0 to 1. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
