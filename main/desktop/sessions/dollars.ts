import { formatLocale } from "../../../core/phrases.ts";

/** Formats US dollars as people with a locale write them. */
export function dollars(usd: number, locale = formatLocale()): string {
  return new Intl.NumberFormat(locale, { style: "currency", currency: "USD" }).format(usd);
}
