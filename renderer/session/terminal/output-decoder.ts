/** No character of UTF-8 has more bytes after its first one. */
const MAX_CONTINUATION_BYTES = 3;

/**
 * Decodes a terminal's output, in any chunking. Bytes that are not UTF-8 become U+FFFD, as in other terminals; given bytes,
 * xterm.js drops them, and what follows moves to the left.
 */
export class OutputDecoder {
  // A byte order mark is left to xterm.js, which ignores it everywhere.
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #isFirst = true;

  decode(bytes: Uint8Array): string {
    return this.#decoder.decode(this.#isFirst ? this.#afterSplitCharacter(bytes) : bytes, { stream: true });
  }

  /** Leaves out the rest of a character that the output before these bytes began, for example that of a copied screen. */
  #afterSplitCharacter(bytes: Uint8Array): Uint8Array {
    let from = 0;
    while (from < MAX_CONTINUATION_BYTES && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
    this.#isFirst = bytes.length === 0;
    return bytes.subarray(from);
  }
}
