import { createHash } from "node:crypto";

/**
 * Prints numbered lines for ever, at most 500 a second: what it prints in ten minutes is kept in memory, so that nothing is
 * gone where a busy machine restarts its relay more slowly than a reader needs.
 */
export const COUNTER = "i=0; while :; do printf 'L%09d\\n' $i; i=$((i+1)); [ $((i % 50)) = 0 ] && sleep 0.1; done";

/** The counter's output, put together over restarts, beside what the counter must have printed. */
export class CountedOutput {
  end = 0;
  bytes = 0;
  readonly faults: string[] = [];
  readonly #hash = createHash("sha256");
  readonly #expected = createHash("sha256");
  #rest = "";
  #next = 0;

  take({ output, offset, end, missed }: { output: string; offset: number; end: number; missed: number }): void {
    if (missed > 0 || offset !== this.end) this.faults.push(`output: asked for ${this.end}, got ${offset}`);
    this.end = end;
    this.bytes += Buffer.byteLength(output);
    const lines = (this.#rest + output).split("\r\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      // The first one stands behind what the prompt left on the line.
      const counted = /L\d{9}$/.exec(line)?.[0];
      if (counted === undefined) continue;
      this.#hash.update(counted);
      this.#expected.update(`L${String(this.#next++).padStart(9, "0")}`);
    }
    if (this.#hash.copy().digest("hex") !== this.#expected.copy().digest("hex") && this.faults.length < 5) {
      this.faults.push(`output: not what was printed, before line ${this.#next}`);
    }
  }
}
