const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LIST = 0x5b;
const OBJECT = 0x7b;

/** A shorter text has not enough values to take long. */
const SHORT_BYTES = 256 * 1024;
/** Values of one record: more take the parser a tenth of a second, and none of an agent's has a tenth of them. */
const MOST_VALUES = 100_000;

/**
 * Reports whether a JSON text in `bytes[start, end)` has so many values that parsing it would hold up the event loop: an empty
 * list takes as long as a kilobyte of text, so that long texts in it, such as images, are nothing to count.
 */
export function isDenseJson(bytes: Uint8Array, start: number, end: number, most = MOST_VALUES): boolean {
  if (end - start <= SHORT_BYTES) return false;
  let values = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at, end);
    else if (byte === COMMA || byte === LIST || byte === OBJECT) {
      values += 1;
      if (values > most) return true;
    }
  }
  return false;
}

/** Returns where the quote is that ends a text. */
function endOfText(bytes: Uint8Array, start: number, end: number): number {
  let at = bytes.indexOf(QUOTE, start + 1);
  while (at !== -1 && at < end && isEscaped(bytes, at)) at = bytes.indexOf(QUOTE, at + 1);
  return at === -1 || at > end ? end : at;
}

function isEscaped(bytes: Uint8Array, quote: number): boolean {
  let before = quote - 1;
  while (bytes[before] === BACKSLASH) before -= 1;
  return (quote - before) % 2 === 0;
}
