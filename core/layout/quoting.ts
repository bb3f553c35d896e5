import { RemoteError } from "../protocol/errors.ts";

/**
 * Splits the text at each separator outside single or double quotes; keeps the quotes.
 * @param separator sticky expression; one character of each match is dropped
 * @param path name of the parameter, for the error message
 * @throws RemoteError `invalid_params` for an unclosed quote
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

/** Trims the text and removes one enclosing pair of quotes; quotes inside the text stay. */
export function unquoted(text: string): string {
  const trimmed = text.trim();
  return isQuoted(trimmed) ? trimmed.slice(1, -1) : trimmed;
}

/** Reports whether one pair of quotes encloses the whole text. */
export function isQuoted(text: string): boolean {
  const [quote] = text;
  return (quote === '"' || quote === "'") && text.indexOf(quote, 1) === text.length - 1;
}

/** Formats user input for a message: truncated, and without control characters. */
export function quoteForMessage(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function closingQuote(text: string, open: number, path: string): number {
  const quote = text.charAt(open);
  const close = text.indexOf(quote, open + 1);
  if (close !== -1) return close;
  throw new RemoteError(
    "invalid_params",
    `${path}: the ${quote} before ${quoteForMessage(text.slice(open + 1))} is not closed; close it, or put the whole item in the other kind of quotes.`,
  );
}
