import type { OutputLog } from "./output-log.ts";

interface Piece {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** Collects a growing span of output beyond the log's retention, up to a limit, without copying. */
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

  /** Collects the output since the last call; call it at least once per few megabytes of output. */
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

  /** The collected bytes between `from` and `to`; shorter when the limit has dropped the beginning. */
  slice(from: number, to: number): Buffer {
    const parts = this.#pieces.flatMap(({ offset, bytes }) => {
      const part = bytes.subarray(Math.max(0, from - offset), Math.max(0, to - offset));
      return part.length > 0 ? [part] : [];
    });
    return Buffer.concat(parts);
  }
}
