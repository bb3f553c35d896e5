/** Collects how to stop things; stops run once, in reverse order. Register the stop on the line after the start. */
export class Undo implements Disposable {
  #stops: (() => void)[] = [];
  #done = false;

  /** Registers a stop; one that comes after disposal runs at once, so nothing started late leaks. */
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
