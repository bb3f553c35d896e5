import type { ShellId } from "../../../core/protocol/ids.ts";

/** Bytes that a terminal parses at once, which takes a few milliseconds. */
const PIECE_BYTES = 16 * 1024;
/** The longest time for which other terminals wait for the echo of a key: it may not come. */
const LONGEST_HOLD_MS = 50;

/** Lets the terminal that is typed into go first: until its answer is drawn, the others parse no output. */
export class TypingPriority {
  readonly #frame: (callback: () => void) => void;
  readonly #waiting = new Set<() => void>();
  #hold: { readonly shell: ShellId; readonly timer: ReturnType<typeof setTimeout> } | undefined;

  /** @param frame calls back once the next frame is drawn */
  constructor(frame: (callback: () => void) => void) {
    this.#frame = frame;
  }

  /** The user has typed into this shell. A hold is not prolonged, so that the others get their turn. */
  typed(shell: ShellId): void {
    if (this.#hold !== undefined) return;
    const hold = { shell, timer: setTimeout(() => this.#release(hold), LONGEST_HOLD_MS) };
    this.#hold = hold;
  }

  /** Output of this shell was parsed; it is drawn with the next frame. */
  parsed(shell: ShellId | undefined): void {
    const hold = this.#hold;
    if (hold !== undefined && hold.shell === shell) this.#frame(() => this.#release(hold));
  }

  mayWrite(shell: ShellId | undefined): boolean {
    return this.#hold === undefined || this.#hold.shell === shell;
  }

  /** Calls back once the hold ends. */
  wait(resume: () => void): void {
    this.#waiting.add(resume);
  }

  stopWaiting(resume: () => void): void {
    this.#waiting.delete(resume);
  }

  #release(hold: { readonly timer: ReturnType<typeof setTimeout> }): void {
    if (this.#hold !== hold) return;
    clearTimeout(hold.timer);
    this.#hold = undefined;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resume of waiting) resume();
  }
}

interface TerminalWriter {
  /** @param quiet queries in the data are not to be answered */
  write(data: Uint8Array, done: () => void, quiet: boolean): void;
}

interface Entry {
  bytes: Uint8Array;
  readonly done: () => void;
  readonly quiet: boolean;
}

/**
 * Output on its way into a terminal. The terminal gets the next piece only when it has parsed the last one, so that the
 * rest can wait for the terminal that is typed into.
 */
export class WriteQueue {
  readonly #terminal: TerminalWriter;
  readonly #shell: ShellId | undefined;
  readonly #priority: TypingPriority;
  readonly #pump = () => this.#writeNext();
  #entries: Entry[] = [];
  #isWriting = false;

  constructor(terminal: TerminalWriter, shell: ShellId | undefined, priority: TypingPriority) {
    this.#terminal = terminal;
    this.#shell = shell;
    this.#priority = priority;
  }

  /**
   * @param done called once the terminal has parsed the bytes and all before them
   * @param quiet queries in them are not to be answered
   */
  add(bytes: Uint8Array, done: () => void, quiet = false): void {
    this.#entries.push({ bytes, done, quiet });
    if (!this.#isWriting) this.#writeNext();
  }

  /** Drops what the terminal does not have yet; it counts as parsed. */
  clear(): void {
    this.#priority.stopWaiting(this.#pump);
    const dropped = this.#entries;
    this.#entries = [];
    for (const { done } of dropped) done();
  }

  #writeNext(): void {
    const [entry] = this.#entries;
    if (entry === undefined) return;
    if (!this.#priority.mayWrite(this.#shell)) {
      this.#priority.wait(this.#pump);
      return;
    }
    const piece = entry.bytes.subarray(0, PIECE_BYTES);
    entry.bytes = entry.bytes.subarray(piece.length);
    this.#isWriting = true;
    const parsed = () => {
      this.#isWriting = false;
      this.#priority.parsed(this.#shell);
      if (entry.bytes.length === 0 && this.#entries[0] === entry) {
        this.#entries.shift();
        entry.done();
      }
      if (!this.#isWriting) this.#writeNext();
    };
    this.#terminal.write(piece, parsed, entry.quiet);
  }
}
