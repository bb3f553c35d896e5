/** `1 shell`, `2 shells`. */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;
}

/** US dollars as the user's locale writes them; a sum that is not nothing never reads as nothing. */
export function formatDollars(usd: number): string {
  const format = new Intl.NumberFormat(undefined, { style: "currency", currency: "USD" });
  return usd > 0 && usd < 0.005 ? `< ${format.format(0.01)}` : format.format(usd);
}

/** A number of tokens in few characters: 1.9M, 412K. */
export function formatCompact(count: number): string {
  return new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 }).format(count);
}

/** A moment for people: the time of day, and the date where it is not today's. */
export function formatTime(iso: string, now = new Date()): string {
  const at = new Date(iso);
  const today = at.toDateString() === now.toDateString();
  return at.toLocaleString(undefined, today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}

/** A moment in a log, where lines follow each other within a second. */
export function formatTimeWithSeconds(iso: string, now = new Date()): string {
  const at = new Date(iso);
  const today = at.toDateString() === now.toDateString();
  return at.toLocaleString(undefined, today ? { timeStyle: "medium" } : { dateStyle: "short", timeStyle: "medium" });
}

/** How long something took: 12 ms, 3.4 s. */
export function formatMilliseconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 })} s`;
}
