/** Browsers drop the oldest WebGL context beyond about 16 a page, so terminals share fewer than that. */
const SLOTS = 10;

/** Hands out the right to a WebGL context; a terminal without one draws with the DOM. */
export class WebglSlots {
  #free = SLOTS;

  /** Answers how to give the slot back, or undefined when all are taken. */
  take(): (() => void) | undefined {
    if (this.#free === 0) return undefined;
    this.#free -= 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#free += 1;
    };
  }
}
