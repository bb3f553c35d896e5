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
  return text.replace(/\p{Cc}|\p{Bidi_C}/gu, (control) => {
    const named = JSON.stringify(control).slice(1, -1);
    return named === control ? `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}` : named;
  });
}

/** As `escapeControls`, for a message of several lines. */
export function escapeControlsInLines(text: string): string {
  return text.split("\n").map(escapeControls).join("\n");
}
