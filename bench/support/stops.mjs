/** How to end all that a benchmark has started. Who starts something adds its end at once, before anything may fail. */
export class Stops {
  /** @type {Set<() => Promise<void>>} */
  #ends = new Set();
  #over = false;

  /**
   * @param {() => unknown} end
   * @returns {() => Promise<void>} ends it before the others; a second call does nothing
   */
  add(end) {
    const once = async () => {
      if (this.#ends.delete(once)) await end();
    };
    this.#ends.add(once);
    // A benchmark that was stopped may still be on its way to start this.
    if (this.#over) void once().catch(() => {});
    return once;
  }

  /** Ends everything, the latest first; one that fails does not keep the others running, and is thrown at the end. */
  async all() {
    this.#over = true;
    /** @type {unknown[]} */
    const failures = [];
    for (let last = this.#last(); last !== undefined; last = this.#last()) {
      await last().catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  #last() {
    return [...this.#ends].at(-1);
  }
}
