/** A longer OSC is skipped without being reported. */
export const MAX_OSC_BYTES = 8 * 1024;

/** Gathers the payload of one operating system command over any number of pieces, in bounded memory. */
export class OscPayload {
  #open = false;
  #from = 0;
  #bytes = 0;
  #pieces: Buffer[] = [];

  /** A payload begins at this place of the piece at hand. */
  begin(from: number): void {
    this.#open = true;
    this.#from = from;
  }

  /** Takes what belongs to it up to a place of the piece at hand; in the next piece it goes on from the start. */
  take(piece: Buffer, to: number): void {
    const from = this.#from;
    this.#from = 0;
    if (!this.#open || to <= from) return;
    this.#bytes += to - from;
    // A copy, because the caller may reuse its buffer before the command ends.
    if (this.#bytes <= MAX_OSC_BYTES) this.#pieces.push(Buffer.from(piece.subarray(from, to)));
  }

  /** The payload without so many bytes at its end; undefined without a payload or with one that is too long. */
  text(surplusBytes: number): string | undefined {
    if (!this.#open || this.#bytes > MAX_OSC_BYTES) return undefined;
    const bytes = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    return bytes?.toString("utf8", 0, bytes.length - surplusBytes);
  }

  drop(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#bytes = 0;
    this.#pieces = [];
  }
}
