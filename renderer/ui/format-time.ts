import { formatLocale } from "../../core/phrases.ts";

/** Formats the time of day in the user's locale. */
export function formatTimeOfDay(iso: string, locale = formatLocale()): string {
  return new Date(iso).toLocaleTimeString(locale, { timeStyle: "short" });
}

export function isSameDay(a: string, b: string): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

/** Formats a day in the user's locale: today, yesterday, or the date. */
export function formatDay(iso: string, now = new Date(), locale = formatLocale()): string {
  const at = new Date(iso);
  const days = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000);
  if (days === 0 || days === 1) {
    const word = new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-days, "day");
    return word.charAt(0).toLocaleUpperCase(locale) + word.slice(1);
  }
  const year = at.getFullYear() === now.getFullYear() ? {} : ({ year: "numeric" } as const);
  return at.toLocaleDateString(locale, { weekday: "short", day: "numeric", month: "short", ...year });
}

/** Formats a time of day, with its date unless it is today. */
export function formatTime(iso: string, now = new Date()): string {
  if (isSameDay(iso, now.toISOString())) return formatTimeOfDay(iso);
  return new Date(iso).toLocaleString(formatLocale(), { dateStyle: "medium", timeStyle: "short" });
}

function startOfDay(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}
