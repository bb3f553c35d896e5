/** Whether a local time lies between two times of day (`22:30`); over midnight where `from` is later than `to`. */
export function isQuiet(now: Date, quiet: { readonly from: string; readonly to: string } | null): boolean {
  if (quiet === null) return false;
  const at = `${String(now.getHours()).padStart(2, "0")}:${String(now.getMinutes()).padStart(2, "0")}`;
  const { from, to } = quiet;
  return from <= to ? at >= from && at < to : at >= from || at < to;
}
