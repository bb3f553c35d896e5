import { RemoteError } from "../protocol/errors.ts";

/**
 * Cuts the text at each separator that stands outside quotes, single or double; the quotes stay. `separator` is a
 * sticky expression, of which one character is dropped. An open quote is RemoteError `invalid_params` at `path`.
 */
export function splitOutsideQuotes(text: string, separator: RegExp, path: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"' || character === "'") {
      index = closingQuote(text, index, path);
      continue;
    }
    separator.lastIndex = index;
    if (separator.test(text)) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/** Trimmed, and without the quotes if one pair encloses all of it; quotes inside it are its own. */
export function unquoted(text: string): string {
  const trimmed = text.trim();
  return isQuoted(trimmed) ? trimmed.slice(1, -1) : trimmed;
}

/** Whether one pair of quotes encloses all of the text. */
export function isQuoted(text: string): boolean {
  const [quote] = text;
  return (quote === '"' || quote === "'") && text.indexOf(quote, 1) === text.length - 1;
}

/** A value of the user's for a message: short, and with nothing in it that a terminal would act on. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function closingQuote(text: string, open: number, path: string): number {
  const quote = text.charAt(open);
  const close = text.indexOf(quote, open + 1);
  if (close !== -1) return close;
  throw new RemoteError(
    "invalid_params",
    `${path}: the ${quote} before ${shown(text.slice(open + 1))} is not closed; close it, or put the whole item in the other kind of quotes.`,
  );
}
