const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [...'"\\,[{'].map((character) => character.charCodeAt(0));

/**
 * Returns whether a JSON text has more than `most` lists, objects and commas, which are about as many as its values. A parser takes
 * as long for an empty list as for a kilobyte of text, so a few megabytes of small values would hold up the event loop for seconds.
 *
 * @param bytes - `bytes[start, end)` is the text, in UTF-8
 */
export function hasMoreValues(bytes: Uint8Array, start: number, end: number, most: number): boolean {
  let values = 0;
  let inText = false;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (inText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) {
      values += 1;
      if (values > most) return true;
    }
  }
  return false;
}
