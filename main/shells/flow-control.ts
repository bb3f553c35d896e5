import type { OutputLog } from "./output-log.ts";
import type { ShellExit } from "./pty.ts";
import type { Snapshot } from "./screen.ts";

/** What a listener gets. `snapshot` replaces everything shown so far; `offset` is where the output goes on after it. */
export type ListenerFrame =
  | { readonly kind: "output"; readonly offset: number; readonly bytes: Buffer }
  | ({ readonly kind: "snapshot"; readonly missed: number } & Snapshot)
  | ({ readonly kind: "end"; readonly offset: number } & ShellExit);

export interface ListenerOptions {
  /** A byte offset; `now`: only what comes; `screen`: a snapshot first. */
  readonly from: number | "now" | "screen";
  /** How many bytes may be on their way without an `ack`. */
  readonly window: number;
  readonly deliver: (frame: ListenerFrame) => void;
}

interface ListenerSource {
  readonly log: OutputLog;
  snapshot(): Promise<Snapshot>;
  exit(): ShellExit | null;
}

const MAX_PIECE_BYTES = 64 * 1024;

/**
 * One listener's place in the output. A full window means it is skipped and served later from the log; when the log
 * has dropped what it had not seen, it gets a snapshot of the screen and goes on from there.
 */
export class Listener {
  readonly #source: ListenerSource;
  readonly #options: ListenerOptions;
  #cursor: number;
  #outstanding = 0;
  #needsSnapshot: boolean;
  #pumping = false;
  #catchingUp = false;
  #stopped = false;

  constructor(source: ListenerSource, options: ListenerOptions) {
    this.#source = source;
    this.#options = options;
    this.#needsSnapshot = options.from === "screen";
    this.#cursor = typeof options.from === "number" ? Math.min(options.from, source.log.end) : source.log.end;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** The listener has worked off so many bytes of output or snapshot. */
  ack(bytes: number): void {
    this.#outstanding = Math.max(0, this.#outstanding - bytes);
    this.pump();
  }

  stop(): void {
    this.#stopped = true;
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
    if (this.#stopped || this.#outstanding >= this.#options.window) return false;
    if (this.#needsSnapshot || this.#cursor < log.start) {
      void this.#catchUp();
      return false;
    }
    const bytes = log.view(this.#cursor, Math.min(this.#options.window - this.#outstanding, MAX_PIECE_BYTES));
    if (bytes.length === 0) return this.#deliverEnd();
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
