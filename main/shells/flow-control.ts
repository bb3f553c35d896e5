import type { OutputSubscription, ShellExit, Snapshot, SubscribeOptions } from "../../core/protocol/shell-host.ts";
import type { OutputLog } from "./output-log.ts";

interface OutputSource {
  readonly log: OutputLog;
  /** Offset up to which output may be delivered; the rest is being gathered into a larger piece. */
  delivered(): number;
  snapshot(): Promise<Snapshot>;
  exit(): ShellExit | null;
}

const MAX_PIECE_BYTES = 64 * 1024;
const RATE_OVER_MS = 30;

/**
 * A subscription's position in the output. While its window is full it is skipped and served from the log later; when
 * the log has dropped what it has not received, it gets a snapshot of the screen and continues from there.
 */
export class FlowControlledSubscription implements OutputSubscription {
  readonly #source: OutputSource;
  readonly #options: SubscribeOptions;
  #cursor: number;
  #outstanding = 0;
  #acknowledgedAt: number | undefined;
  #rate = 0;
  /** Bytes acknowledged since the rate was last taken. */
  #counted = { since: performance.now(), bytes: 0 };
  #needsSnapshot: boolean;
  #pumping = false;
  #catchingUp = false;
  #stopped = false;

  constructor(source: OutputSource, options: SubscribeOptions) {
    this.#source = source;
    this.#options = options;
    this.#needsSnapshot = options.from === "screen";
    this.#cursor = typeof options.from === "number" ? Math.min(options.from, source.log.end) : source.log.end;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Time of the last acknowledgement, by `performance.now()`; undefined before the first. */
  get acknowledgedAt(): number | undefined {
    return this.#acknowledgedAt;
  }

  /** The recent rate of acknowledgements, in bytes per millisecond. */
  get rate(): number {
    return this.#rate;
  }

  /** Offset up to which output is acknowledged. */
  get acknowledged(): number {
    return this.#cursor - this.#outstanding;
  }

  /** Acknowledges bytes of output or snapshot, which opens the window again. */
  acknowledge(bytes: number): void {
    if (bytes > 0) this.#measure(bytes);
    this.#outstanding = Math.max(0, this.#outstanding - bytes);
    this.pump();
  }

  stop(): void {
    this.#stopped = true;
  }

  #measure(bytes: number): void {
    const now = performance.now();
    const took = now - this.#counted.since;
    if (took >= RATE_OVER_MS) {
      this.#rate = this.#counted.bytes / took;
      this.#counted = { since: now, bytes: 0 };
    }
    this.#counted.bytes += bytes;
    this.#acknowledgedAt = now;
  }

  /** Delivers as much as the window allows. A subscriber that throws is stopped without affecting the others. */
  pump(): void {
    if (this.#pumping || this.#catchingUp || this.#stopped) return;
    this.#pumping = true;
    try {
      while (this.#deliverNext());
    } catch {
      this.#stopped = true;
    } finally {
      this.#pumping = false;
    }
  }

  #deliverNext(): boolean {
    const { log } = this.#source;
    const { window } = this.#options;
    const room = window - this.#outstanding;
    const waiting = this.#source.delivered() - this.#cursor;
    // Avoids silly windows (RFC 1122, 4.2.3.4): few large pieces cost less than many small ones.
    const least = Math.min(waiting, MAX_PIECE_BYTES, window / 4);
    if (this.#stopped || room <= 0 || room < least || this.#options.mayDeliver?.() === false) return false;
    if (this.#needsSnapshot || this.#cursor < log.start) {
      void this.#catchUp();
      return false;
    }
    if (waiting <= 0) return this.#deliverEnd();
    const bytes = log.view(this.#cursor, Math.min(waiting, room, MAX_PIECE_BYTES));
    const offset = this.#cursor;
    this.#cursor += bytes.length;
    this.#outstanding += bytes.length;
    this.#options.deliver({ kind: "output", offset, bytes });
    return true;
  }

  #deliverEnd(): false {
    const exit = this.#source.exit();
    if (exit === null) return false;
    this.#stopped = true;
    this.#options.deliver({ kind: "end", offset: this.#cursor, ...exit });
    return false;
  }

  async #catchUp(): Promise<void> {
    this.#catchingUp = true;
    try {
      let snapshot = await this.#source.snapshot();
      // It may have been begun for another subscriber, before what this one has.
      while (!this.#needsSnapshot && snapshot.offset < this.#cursor) snapshot = await this.#source.snapshot();
      if (this.#stopped) return;
      const missed = this.#needsSnapshot ? 0 : snapshot.offset - this.#cursor;
      this.#needsSnapshot = false;
      this.#cursor = snapshot.offset;
      this.#outstanding += Buffer.byteLength(snapshot.snapshot);
      this.#options.deliver({ kind: "snapshot", missed, ...snapshot });
    } catch {
      this.#stopped = true;
    } finally {
      this.#catchingUp = false;
    }
    this.pump();
  }
}
