/** Strips the headers of a response of the command socket, and knows by the line before the output whether it is complete. */
export class ResponseReader {
  #head: Buffer | undefined = Buffer.alloc(0);
  /** The relay refused the request and executed nothing. */
  isDeclined = false;
  /** The lines before the output; undefined once the output has begun. */
  #lines: string | undefined = "";
  #missing = Number.POSITIVE_INFINITY;

  /** Whether the last byte was received. */
  get isComplete(): boolean {
    return this.#missing === 0;
  }

  /** Returns the part of this piece that belongs to the body. */
  take(piece: Buffer): Buffer {
    const body = this.#head === undefined ? piece : this.#withoutHead(Buffer.concat([this.#head, piece]));
    this.#count(body);
    return body;
  }

  #withoutHead(bytes: Buffer): Buffer {
    const end = bytes.indexOf("\r\n\r\n");
    this.#head = end === -1 ? bytes : undefined;
    if (end === -1) return Buffer.alloc(0);
    this.isDeclined = /^HTTP\/1\.\d [45]\d\d /.test(bytes.toString("latin1", 0, end));
    return bytes.subarray(end + 4);
  }

  #count(body: Buffer): void {
    if (this.#lines === undefined) {
      this.#missing -= body.length;
      return;
    }
    this.#lines += body.toString("latin1");
    const line = /^(?:\. .*\n)*\d+ (\d+) .*\n/.exec(this.#lines);
    if (line === null) return;
    this.#missing = Number(line[1]) - (this.#lines.length - line[0].length);
    this.#lines = undefined;
  }
}
