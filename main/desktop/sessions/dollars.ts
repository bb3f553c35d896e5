/** US dollars as people with this locale write them; undefined: as the system does. */
export function dollars(usd: number, locale?: string): string {
  return new Intl.NumberFormat(locale, { style: "currency", currency: "USD" }).format(usd);
}
