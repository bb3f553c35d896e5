import { BUS, type BusConnection, connectToBus } from "./connection.ts";

/** A lasting connection to the session bus: connects when first needed, and again after a disconnect. */
export class SessionBus implements Disposable {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #watched = new Map<string, Set<() => void>>();
  #connection: Promise<BusConnection> | undefined;
  #disposed = false;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** The open connection. Rejects with a sentence when the bus cannot be reached; the next call tries again. */
  connection(): Promise<BusConnection> {
    if (this.#disposed) return Promise.reject(new Error("the app is stopping"));
    this.#connection ??= this.#connect();
    return this.#connection;
  }

  /**
   * Calls back when a program acquires or releases this bus name, and when the connection ends. Needs one
   * `connection()` call to begin. Returns an unsubscribe function.
   */
  onOwnerChange(name: string, changed: () => void): () => void {
    const listeners = this.#watched.get(name) ?? new Set();
    this.#watched.set(name, listeners.add(changed));
    if (listeners.size === 1) this.#connection?.then((open) => this.#watch(open, name)).catch(() => undefined);
    return () => listeners.delete(changed);
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#watched.clear();
    this.#connection?.then((open) => open[Symbol.dispose]()).catch(() => undefined);
  }

  #connect(): Promise<BusConnection> {
    const connecting = connectToBus(this.#env).then((open) => {
      open.onClose(() => {
        this.#connection = undefined;
        for (const name of this.#watched.keys()) this.#changed(name);
      });
      for (const name of this.#watched.keys()) this.#watch(open, name);
      return open;
    });
    connecting.catch(() => {
      this.#connection = undefined;
    });
    return connecting;
  }

  #watch(open: BusConnection, name: string): void {
    const rule = `type='signal',sender='${BUS}',member='NameOwnerChanged',arg0='${name}'`;
    open.onSignal(rule, ({ sender, member, body }) => {
      if (sender === BUS && member === "NameOwnerChanged" && body[0] === name) this.#changed(name);
    });
  }

  #changed(name: string): void {
    for (const listener of [...(this.#watched.get(name) ?? [])]) listener();
  }
}
