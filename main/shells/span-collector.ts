import type { OutputLog } from "./output-log.ts";

interface Piece {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** Keeps a growing span of output beyond what the log keeps, up to a limit, without copying. */
export class SpanCollector {
  readonly #log: OutputLog;
  readonly #limit: number;
  #pieces: Piece[] = [];
  #held = 0;
  #cursor: number;

  constructor(log: OutputLog, from: number, limitBytes: number) {
    this.#log = log;
    this.#cursor = from;
    this.#limit = limitBytes;
  }

  /** Takes what came since the last call; to be called at least once per few megabytes of output. */
  collect(): void {
    this.#cursor = Math.max(this.#cursor, this.#log.start);
    for (let view = this.#log.view(this.#cursor, Infinity); view.length > 0; ) {
      this.#pieces.push({ offset: this.#cursor, bytes: view });
      this.#held += view.length;
      this.#cursor += view.length;
      view = this.#log.view(this.#cursor, Infinity);
    }
    for (let first = this.#pieces[0]; first !== undefined && this.#held - first.bytes.length >= this.#limit; ) {
      this.#pieces.shift();
      this.#held -= first.bytes.length;
      first = this.#pieces[0];
    }
  }

  /** The collected part of bytes `from` to `to`; shorter than asked for where the limit dropped the beginning. */
  slice(from: number, to: number): Buffer {
    const parts = this.#pieces.flatMap(({ offset, bytes }) => {
      const part = bytes.subarray(Math.max(0, from - offset), Math.max(0, to - offset));
      return part.length > 0 ? [part] : [];
    });
    return Buffer.concat(parts);
  }
}
