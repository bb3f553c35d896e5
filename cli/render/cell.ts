const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Formats one value for people, on one line. A number named `cost` is money. */
export function formatCell(value: unknown, name = ""): string {
  if (value === null || value === undefined) return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return name === "cost" ? formatMoney(value) : String(value);
  if (typeof value === "string") return TIME.test(value) ? localTime(value) : escapeControls(value);
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map((item) => formatCell(item)).join(", ");
  return escapeControls(JSON.stringify(value));
}

/** Formats US dollars at list prices, with enough digits for a single call. */
function formatMoney(dollars: number): string {
  return `$${dollars.toFixed(4)}`;
}

/** Local time, to the second, in an order that sorts. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":")}`;
}

/** Escapes what could control the terminal: titles, names and messages come from programs and other people. */
export function escapeControls(text: string): string {
  const visible = text.replace(/\p{Cc}/gu, (control) => {
    const named = JSON.stringify(control).slice(1, -1);
    return named === control ? asCode(control) : named;
  });
  return escapeDirections(visible);
}

/** Escapes what would show the letters of a text in another order than that which is copied. */
export function escapeDirections(text: string): string {
  return text.replace(/\p{Bidi_C}/gu, asCode);
}

/** A character of up to 16 bits as the escape of JSON. */
export function asCode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** As `escapeControls`, for a message of several lines. */
export function escapeControlsInLines(text: string): string {
  return text.split("\n").map(escapeControls).join("\n");
}

/** No column is made wider for a name that another machine may have chosen: each line has its spaces. */
const MAX_NAME_WIDTH = 60;

/** Returns the width of a column in which names are aligned. */
export function nameWidth(names: readonly string[], least = 0): number {
  // Spread as arguments, so many rows as a remote may send would overflow the stack.
  return names.reduce((most, name) => Math.max(most, Math.min(name.length, MAX_NAME_WIDTH)), least);
}
