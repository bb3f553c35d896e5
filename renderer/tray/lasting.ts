const SECOND_MS = 1_000;

/** A duration in its largest unit: 40 s, 2 min, 3 h, 2 d. */
export function lasting(ms: number): string {
  const seconds = Math.floor(ms / SECOND_MS);
  if (!(seconds >= 1)) return "";
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
