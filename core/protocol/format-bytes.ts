const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** Formats a number of bytes in a locale, undefined for that of the process, in the largest unit of 1000: 3.4 MB. */
export function formatBytes(bytes: number, locale: string | undefined): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const unit = UNITS[power] ?? "byte";
  const display = unit === "byte" ? "long" : "short";
  const number = new Intl.NumberFormat(locale, {
    style: "unit",
    unit,
    unitDisplay: display,
    maximumFractionDigits: power > 1 ? 1 : 0,
  });
  return number.format(bytes / 1000 ** power);
}
