/** A socket that waits for TCP connections. */
export interface Listener {
  readonly pid: number;
  readonly port: number;
  /** As the socket is bound: `0.0.0.0`, `::`, `127.0.0.1`, … */
  readonly address: string;
}

/** Looks up which TCP sockets these processes listen on; what cannot be looked at is left out. */
export interface ListenerSource {
  /** `shells` are those of the processes that are shells: what they inherited is nothing that a program in them opened. */
  listenersOf(pids: readonly number[], shells: readonly number[]): Promise<readonly Listener[]>;
}
