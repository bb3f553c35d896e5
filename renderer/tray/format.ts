import { formatLocale } from "../../core/phrases.ts";

/** Formats US dollars in the user's locale. Never shows a sum above zero as zero. */
export function formatDollars(usd: number): string {
  const format = new Intl.NumberFormat(formatLocale(), { style: "currency", currency: "USD" });
  return usd > 0 && usd < 0.005 ? `< ${format.format(0.01)}` : format.format(usd);
}

/** Formats a number compactly: 1.9M, 412K. */
export function formatCompact(count: number): string {
  return new Intl.NumberFormat(formatLocale(), { notation: "compact", maximumFractionDigits: 1 }).format(count);
}

/** Makes a sentence of a reason that the relay gives, which begins in the middle of one. */
export function asSentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${reason.endsWith(".") ? "" : "."}`;
}
