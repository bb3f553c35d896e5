/** A listening TCP socket. */
export interface Listener {
  readonly pid: number;
  readonly port: number;
  /** As the socket is bound: `0.0.0.0`, `::`, `127.0.0.1`, … */
  readonly address: string;
}

/** Finds the TCP sockets that processes listen on; processes that cannot be read are left out. */
export interface ListenerSource {
  /** `shells` are those of the processes that are shells: what they inherited is nothing that a program in them opened. */
  listenersOf(pids: readonly number[], shells: readonly number[]): Promise<readonly Listener[]>;
}
