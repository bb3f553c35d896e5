/** Returns a table for a spreadsheet: RFC 4180, with a header. */
export function csvText(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [header, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/**
 * The beginning of what a spreadsheet would evaluate: of a cell, and behind a semicolon, a tab or a line break, because
 * spreadsheets divide by these where the comma stands in decimals, and inside of quotes too.
 */
const FORMULA = /(^|[;\t\r\n])(?=[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20])/g;

/** Prefixes what looks like a formula with an apostrophe. */
function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = value.replace(FORMULA, "$1'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
