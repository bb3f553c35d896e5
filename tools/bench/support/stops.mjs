/** Cleanup functions of a benchmark. Code that starts something adds its cleanup at once, before anything can fail. */
export class Stops {
  /** @type {Set<() => Promise<void>>} */
  #ends = new Set();
  #over = false;

  /**
   * @param {() => unknown} end
   * @returns {() => Promise<void>} runs this cleanup early; a second call does nothing
   */
  add(end) {
    const once = async () => {
      if (this.#ends.delete(once)) await end();
    };
    this.#ends.add(once);
    // A stopped benchmark may still be starting this.
    if (this.#over) void once().catch(() => {});
    return once;
  }

  /** Runs all cleanups, the latest first. If one fails, the others still run; the first failure is thrown at the end. */
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
