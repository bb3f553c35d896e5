/** Time in milliseconds that what a shell prints may take before others have their turn. */
const LONGEST_MS = 2;

/**
 * Divides the event loop among shells: when handling a shell's output has taken long enough, which signals without end do
 * within a few kilobytes, no more of it is read before the next turn of the event loop.
 */
export class ReadingTurn {
  readonly #hold: (held: boolean) => void;
  #spentMs = 0;
  #next: NodeJS.Immediate | undefined;

  constructor(hold: (held: boolean) => void) {
    this.#hold = hold;
  }

  /** Handles a piece of output. */
  run(handle: () => void): void {
    const before = performance.now();
    handle();
    this.#spentMs += performance.now() - before;
    if (this.#spentMs < LONGEST_MS || this.#next !== undefined) return;
    this.#hold(true);
    this.#next = setImmediate(() => {
      this.#next = undefined;
      this.#spentMs = 0;
      this.#hold(false);
    });
  }

  dispose(): void {
    clearImmediate(this.#next);
  }
}
