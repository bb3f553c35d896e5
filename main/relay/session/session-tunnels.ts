import { basename } from "node:path";
import type { RelayFrame } from "../../../core/protocol/frames.ts";
import type { Shell, Tunnel } from "../../../core/protocol/records.ts";
import type { FoundPort, ListeningPorts, ShellProcess } from "../../system/listeners/listening-ports.ts";
import type { Log } from "../../system/log.ts";
import { newTunnelHost } from "../tunnels/tunnel-entry.ts";
import type { TunnelGate } from "../tunnels/tunnel-gate.ts";
import { openTunnelListener, type TunnelListener, type TunnelListenerOptions } from "../tunnels/tunnel-listener.ts";
import type { SessionState, Subscriber } from "./session-state.ts";

/** Scan interval while a program listens or runs in a shell. */
const BUSY_SCAN_MS = 1000;
/** Scan interval while all shells are at their prompts, or after this many scans without a change. */
const IDLE_SCAN_MS = 3000;
const IDLE_AFTER_SCANS = 30;
/** Delay of a scan after a shell's program changed: a server usually listens by then. */
const FIRST_SCAN_MS = 300;

/** Ports of a session that are offered: each is a listener of the relay, and all are told to every client. */
const MOST_TUNNELS = 64;

export interface SessionTunnelsOptions {
  /** Creates a finder for this session alone: it remembers what it has seen. */
  readonly ports: () => ListeningPorts;
  readonly gate: TunnelGate;
  readonly log: Log;
}

interface OpenTunnel {
  readonly record: Tunnel;
  readonly listener: TunnelListener;
  /** For other machines; undefined until one of them connects. */
  remoteListener: Promise<TunnelListener> | undefined;
  addresses: readonly string[];
}

/**
 * The tunnels of one session: finds the ports that its shells' programs listen on, starts a listener for each, and
 * publishes them in the session's state. No timer runs without a running shell.
 */
export class SessionTunnels implements AsyncDisposable {
  readonly #options: SessionTunnelsOptions;
  readonly #ports: ListeningPorts;
  readonly #state: SessionState;
  readonly #open = new Map<number, OpenTunnel>();
  /** Earlier addresses of the listeners, so that a restarted server keeps its own. */
  readonly #earlier = {
    local: new Map<number, { readonly host: string; readonly port: number }>(),
    remote: new Map<number, number>(),
  };
  readonly #subscriber: Subscriber;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #scanning: Promise<void> | undefined;
  /** The programs in the shells at the last frame. */
  #running = "";
  /** Scans since the last change. */
  #unchanged = 0;
  #stopped = false;

  constructor(options: SessionTunnelsOptions, state: SessionState) {
    this.#options = options;
    this.#ports = options.ports();
    this.#state = state;
    this.#subscriber = { send: (frame) => this.#onFrame(frame) };
    state.subscribers.add(this.#subscriber);
    this.#scanIn(FIRST_SCAN_MS);
  }

  /**
   * Returns the listener for a port; the one for other machines starts at its first use. Undefined if no program listens
   * on the port, or if other machines do not reach the relay.
   */
  async listenerFor(
    port: number,
    options: { remote: boolean },
  ): Promise<Pick<TunnelListener, "host" | "port"> | undefined> {
    const tunnel = this.#open.get(port);
    if (tunnel === undefined || !options.remote) return tunnel?.listener;
    const remote = this.#options.gate.remoteAddress;
    if (remote === undefined) return undefined;
    const at = { ...remote, preferredPort: this.#earlier.remote.get(port) };
    tunnel.remoteListener ??= this.#startListener(port, at).catch((error: unknown) => {
      tunnel.remoteListener = undefined;
      throw error;
    });
    const listener = await tunnel.remoteListener;
    this.#earlier.remote.set(port, listener.port);
    return listener;
  }

  /** Repeats the check of all open connections now, after what browsers may do has changed. */
  recheck(): void {
    for (const { listener, remoteListener } of this.#open.values()) {
      listener.recheck();
      remoteListener?.then(
        (remote) => remote.recheck(),
        () => undefined,
      );
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    this.#state.subscribers.delete(this.#subscriber);
    clearTimeout(this.#timer);
    await this.#scanning;
    await Promise.all([...this.#open.values()].map(close));
  }

  /** Scans early only for a change of programs: titles change all the time. */
  #onFrame(frame: RelayFrame): void {
    if (frame.type !== "diff" || (frame.diff.kind !== "shell" && frame.diff.kind !== "shell-gone")) return;
    const running = this.#state.now.shells.map(({ pid, process }) => `${pid} ${process}`).join();
    if (running === this.#running) return;
    this.#running = running;
    this.#unchanged = 0;
    this.#scanIn(FIRST_SCAN_MS);
  }

  /** Schedules a scan, unless an earlier one is scheduled. */
  #scanIn(milliseconds: number): void {
    const dueAt = performance.now() + milliseconds;
    if (this.#stopped || this.#scanning !== undefined || dueAt >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => {
      this.#dueAt = Number.POSITIVE_INFINITY;
      this.#scanning = this.#scan()
        .catch((error: unknown) => this.#options.log.error("the scan for listening ports failed", { error }))
        .finally(() => {
          this.#scanning = undefined;
          const next = this.#nextScanMs();
          if (next !== undefined) this.#scanIn(next);
        });
    }, milliseconds);
    this.#timer.unref();
  }

  /** Returns the delay of the next scan; undefined while no program can listen. */
  #nextScanMs(): number | undefined {
    const running = this.#state.now.shells.filter((shell) => shell.running);
    if (running.length === 0) return this.#open.size === 0 ? undefined : FIRST_SCAN_MS;
    const busy = this.#open.size > 0 || running.some(({ process }) => process !== null);
    return busy && this.#unchanged < IDLE_AFTER_SCANS ? BUSY_SCAN_MS : IDLE_SCAN_MS;
  }

  async #scan(): Promise<void> {
    const state = this.#state;
    const found = this.#offered(await this.#ports.find(state.now.shells.flatMap(processOf)));
    const now = new Map(found.map((one) => [one.port, one]));
    const gone = [...this.#open.values()].filter(({ record }) => now.get(record.port)?.shellId !== record.shellId);
    for (const tunnel of gone) {
      this.#open.delete(tunnel.record.port);
      await close(tunnel);
    }
    const added: Tunnel[] = [];
    for (const one of found) {
      const known = this.#open.get(one.port);
      if (known === undefined) added.push(await this.#add(one));
      else known.addresses = one.addresses;
    }
    this.recheck();
    this.#unchanged += 1;
    if (gone.length === 0 && added.length === 0) return;
    this.#unchanged = 0;
    state.apply({ kind: "tunnels", tunnels: [...this.#open.values()].map(({ record }) => record) });
    for (const { record } of gone) state.emit({ type: "tunnel.closed", data: record });
    for (const record of added) state.emit({ type: "tunnel.opened", data: record });
  }

  /** Returns the ports that are offered: of each shell as many as of any other, and those first that are open. */
  #offered(found: readonly FoundPort[]): readonly FoundPort[] {
    if (found.length <= MOST_TUNNELS) return found;
    const isOpen = ({ port }: FoundPort) => this.#open.has(port);
    const ofShells = new Map<number, number>();
    const ranked = [...found.filter(isOpen), ...found.filter((one) => !isOpen(one))].map((one) => {
      const rank = ofShells.get(one.shellId) ?? 0;
      ofShells.set(one.shellId, rank + 1);
      return { one, rank };
    });
    return ranked
      .sort((a, b) => a.rank - b.rank)
      .slice(0, MOST_TUNNELS)
      .map(({ one }) => one);
  }

  async #add({ port, shellId, process, addresses }: FoundPort): Promise<Tunnel> {
    const { host, port: preferredPort } = this.#earlier.local.get(port) ?? { host: newTunnelHost(), port: 0 };
    const listener = await this.#startListener(port, { address: "127.0.0.1", preferredPort }, host);
    this.#earlier.local.set(port, { host, port: listener.port });
    const url = `http://${host}:${listener.port}/`;
    const localUrl = `http://${hostIn(addresses)}:${port}/`;
    const record = { port, shellId, process, url, localUrl, since: new Date().toISOString() };
    this.#open.set(port, { record, listener, addresses, remoteListener: undefined });
    return record;
  }

  #startListener(port: number, at: TunnelListenerOptions["at"], host?: string): Promise<TunnelListener> {
    return openTunnelListener({
      at,
      addresses: () => this.#open.get(port)?.addresses ?? [],
      place: { session: this.#state.now.session.id, port, host },
      gate: this.#options.gate,
    });
  }
}

async function close({ listener, remoteListener }: OpenTunnel): Promise<void> {
  await listener.close();
  await (await remoteListener)?.close();
}

/** Formats the preferred address for a URL. */
function hostIn([address = "127.0.0.1"]: readonly string[]): string {
  return address.includes(":") ? `[${address}]` : address;
}

function processOf({ id, pid, running, command }: Shell): ShellProcess[] {
  return running && pid !== null ? [{ id, pid, program: basename(command) }] : [];
}
