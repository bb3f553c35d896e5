import type { OutputSubscription, ShellExit, Snapshot, SubscribeOptions } from "../../core/protocol/shell-host.ts";
import type { OutputLog } from "./output-log.ts";

interface ListenerSource {
  readonly log: OutputLog;
  /** Up to where the output may be delivered by now; the rest is being gathered into a larger piece. */
  delivered(): number;
  snapshot(): Promise<Snapshot>;
  exit(): ShellExit | null;
}

const MAX_PIECE_BYTES = 64 * 1024;
const RATE_OVER_MS = 30;

/**
 * One listener's place in the output. A full window means it is skipped and served later from the log; when the log
 * has dropped what it had not seen, it gets a snapshot of the screen and goes on from there.
 */
export class Listener implements OutputSubscription {
  readonly #source: ListenerSource;
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

  constructor(source: ListenerSource, options: SubscribeOptions) {
    this.#source = source;
    this.#options = options;
    this.#needsSnapshot = options.from === "screen";
    this.#cursor = typeof options.from === "number" ? Math.min(options.from, source.log.end) : source.log.end;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** When it last acknowledged bytes, by `performance.now()`; undefined before. */
  get acknowledgedAt(): number | undefined {
    return this.#acknowledgedAt;
  }

  /** How fast it acknowledged lately, in bytes a millisecond. */
  get rate(): number {
    return this.#rate;
  }

  /** Offset up to which it has taken the output in. */
  get acknowledged(): number {
    return this.#cursor - this.#outstanding;
  }

  /** The listener has worked off so many bytes of output or snapshot. */
  acknowledge(bytes: number): void {
    this.#measure(bytes);
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

  /** Delivers as much as the window allows. A listener that throws is stopped; the others never notice. */
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
    // A window that opens by a little is not filled by a little (RFC 1122, 4.2.3.4): few large pieces cost less.
    const least = Math.min(waiting, MAX_PIECE_BYTES, window / 4);
    if (this.#stopped || room <= 0 || room < least) return false;
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
      const snapshot = await this.#source.snapshot();
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
