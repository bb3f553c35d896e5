/** A mark begins with this; what follows is `cycle;nonce;letter;…` in printable ASCII, and a BEL. */
const INTRODUCER = Buffer.from("\u001b]7133;");
const BEL = 0x07;
/** Room for the longest folder, every byte of it as %XX. */
const MAX_PAYLOAD_BYTES = 16 * 1024;

interface MarkSink {
  /** Output that holds no mark. */
  output(bytes: Buffer): void;
  /** Receives the payload of a possible mark. Returns false when it is not genuine and so counts as output. */
  mark(payload: string): boolean;
}

/**
 * Removes the shell's marks from its output. Only a possible mark is held back: an unfinished control sequence, which
 * displays nothing on a terminal.
 */
export class MarkFilter {
  readonly #sink: MarkSink;
  #held: Buffer = Buffer.alloc(0);

  constructor(sink: MarkSink) {
    this.#sink = sink;
  }

  push(bytes: Buffer): void {
    const all = this.#held.length > 0 ? Buffer.concat([this.#held, bytes]) : bytes;
    this.#held = Buffer.alloc(0);
    let from = 0;
    let start = all.indexOf(INTRODUCER);
    while (start >= 0) {
      const end = payloadEnd(all, start + INTRODUCER.length);
      if (end === "open") break;
      if (end !== "none") {
        this.#claim(all, from, start, end);
        from = end + 1;
      }
      start = all.indexOf(INTRODUCER, end === "none" ? start + INTRODUCER.length : from);
    }
    const keep = start >= 0 ? start : all.length - openingLength(all, from);
    this.#output(all.subarray(from, keep));
    // A copy, because the caller may reuse its buffer.
    if (keep < all.length) this.#held = Buffer.from(all.subarray(keep));
  }

  /** Releases what is held back as output, at the end. */
  flush(): void {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    this.#output(held);
  }

  /** Passes on the output before a possible mark, and the mark. */
  #claim(all: Buffer, from: number, start: number, end: number): void {
    this.#output(all.subarray(from, start));
    const payload = all.toString("latin1", start + INTRODUCER.length, end);
    if (!this.#sink.mark(payload)) this.#output(all.subarray(start, end + 1));
  }

  #output(bytes: Buffer): void {
    if (bytes.length > 0) this.#sink.output(bytes);
  }
}

/** Index of the BEL that ends a payload; `open` when it may still arrive, `none` when this is not a mark. */
function payloadEnd(bytes: Buffer, from: number): number | "open" | "none" {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === BEL) return at;
    if (byte < 0x20 || byte > 0x7e || at - from >= MAX_PAYLOAD_BYTES) return "none";
  }
  return "open";
}

/** Number of bytes at the end that may begin an introducer. */
function openingLength(bytes: Buffer, from: number): number {
  const most = Math.min(INTRODUCER.length - 1, bytes.length - from);
  for (let length = most; length > 0; length--) {
    if (bytes.subarray(bytes.length - length).equals(INTRODUCER.subarray(0, length))) return length;
  }
  return 0;
}
