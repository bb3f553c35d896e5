/** Collects cleanup functions and runs them once, in reverse order. */
export class Undo implements Disposable {
  #stops: (() => void)[] = [];
  #done = false;

  /** Registers a cleanup function. After disposal it runs immediately, so that late additions do not leak. */
  add(stop: () => void): void {
    if (this.#done) stop();
    else this.#stops.push(stop);
  }

  dispose(): void {
    this.#done = true;
    for (let stop = this.#stops.pop(); stop !== undefined; stop = this.#stops.pop()) stop();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}
