/** The middle value; 0 of none. */
export function medianOf(values: readonly number[]): number {
  return quantileOf(values, 0.5);
}

/** The value below which this share of them lies, from 0 to 1. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
