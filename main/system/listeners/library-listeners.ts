import type { Listener, ListenerSource } from "./listener-source.ts";

/** For Windows, by the systeminformation library, which is large and loaded only here. */
export class LibraryListeners implements ListenerSource {
  async listenersOf(pids: readonly number[]): Promise<readonly Listener[]> {
    if (pids.length === 0) return [];
    const { networkConnections } = await import("systeminformation");
    const wanted = new Set(pids);
    return (await networkConnections()).flatMap(({ protocol, state, pid, localPort, localAddress }): Listener[] =>
      protocol.startsWith("tcp") && state.startsWith("LISTEN") && wanted.has(pid)
        ? [{ pid, port: Number(localPort), address: localAddress.replace(/^\[|\]$/g, "") }]
        : [],
    );
  }
}
