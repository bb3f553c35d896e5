interface Waiting<T> {
  readonly timer: NodeJS.Timeout;
  /** What came since the last value was passed on. */
  next: { readonly value: T } | undefined;
}

/**
 * Passes values on by id, each id's at most once in a time: the first one at once, then the latest, which `replace` may
 * join with the one whose place it takes.
 */
export class Throttle<T> {
  readonly #everyMs: number;
  readonly #tell: (id: number, value: T) => void;
  readonly #replace: (value: T, before: T) => T;
  readonly #waiting = new Map<number, Waiting<T>>();

  constructor(everyMs: number, tell: (id: number, value: T) => void, replace = (value: T, _before: T) => value) {
    this.#everyMs = everyMs;
    this.#tell = tell;
    this.#replace = replace;
  }

  push(id: number, value: T): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) this.#pass(id, value);
    else waiting.next = { value: waiting.next === undefined ? value : this.#replace(value, waiting.next.value) };
  }

  /** Drops what waits to be passed on for an id. */
  drop(id: number): void {
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined) waiting.next = undefined;
  }

  dispose(): void {
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
  }

  #pass(id: number, value: T): void {
    const timer = setTimeout(() => this.#due(id), this.#everyMs);
    timer.unref();
    this.#waiting.set(id, { timer, next: undefined });
    this.#tell(id, value);
  }

  #due(id: number): void {
    const next = this.#waiting.get(id)?.next;
    this.#waiting.delete(id);
    if (next !== undefined) this.#pass(id, next.value);
  }
}
