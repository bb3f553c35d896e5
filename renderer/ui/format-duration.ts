/** Formats milliseconds in the largest unit: 40 s, 2 min, 3 h, 2 d. "" below one second, and for negative durations. */
export function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (!(seconds >= 1)) return "";
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
