import { basename } from "node:path";
import type { RelayFrame } from "../../../core/protocol/frames.ts";
import type { Shell, Tunnel } from "../../../core/protocol/records.ts";
import type { FoundPort, ListeningPorts, ShellProcess } from "../../system/listeners/listening-ports.ts";
import type { Log } from "../../system/log.ts";
import type { TunnelGate } from "../tunnels/tunnel-gate.ts";
import { type DoorOptions, openTunnelDoor, type TunnelDoor } from "../tunnels/tunnel-listener.ts";
import type { SessionState, Subscriber } from "./session-state.ts";

/** While something listens, or shells run a program. */
const LOOK_MS = 1000;
/** While all shells wait at their prompts, and when nothing has changed in so many looks. */
const CALM_MS = 3000;
const CALM_AFTER = 30;
/** A program that was just started listens soon. */
const SOON_MS = 300;

/** What a session's tunnels need of the relay. */
export interface TunnelParts {
  readonly ports: ListeningPorts;
  readonly gate: TunnelGate;
  readonly log: Log;
}

interface OpenTunnel {
  readonly record: Tunnel;
  readonly door: TunnelDoor;
  /** For other machines; undefined until one of them asks. */
  outside: Promise<TunnelDoor> | undefined;
  addresses: readonly string[];
}

/**
 * The tunnels of one session: looks for ports that its shells' programs listen on, gives each a door, and tells the
 * session. No timer runs while no shell does.
 */
export class SessionTunnels implements AsyncDisposable {
  readonly #parts: TunnelParts;
  readonly #facts: SessionState;
  readonly #open = new Map<number, OpenTunnel>();
  /** The doors' ports of before, so that a server that is restarted is found at the same address. */
  readonly #before = { here: new Map<number, number>(), outside: new Map<number, number>() };
  readonly #hearer: Subscriber;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #looking: Promise<void> | undefined;
  /** What ran in the shells when last heard of. */
  #running = "";
  /** Looks since something changed. */
  #unchanged = 0;
  #stopped = false;

  constructor(parts: TunnelParts, facts: SessionState) {
    this.#parts = parts;
    this.#facts = facts;
    this.#hearer = { send: (frame) => this.#hear(frame) };
    facts.hearers.add(this.#hearer);
    this.#lookIn(SOON_MS);
  }

  /**
   * The door to a port; for other machines it is opened when the first of them asks. Undefined when nothing listens on
   * the port, or when other machines do not reach the relay.
   */
  async doorTo(port: number, { outside }: { outside: boolean }): Promise<Pick<TunnelDoor, "port"> | undefined> {
    const tunnel = this.#open.get(port);
    if (tunnel === undefined || !outside) return tunnel?.door;
    const at = this.#parts.gate.outsideAt;
    if (at === undefined) return undefined;
    tunnel.outside ??= this.#door(port, { ...at, wish: this.#before.outside.get(port) }).catch((error: unknown) => {
      tunnel.outside = undefined;
      throw error;
    });
    const door = await tunnel.outside;
    this.#before.outside.set(port, door.port);
    return door;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    this.#facts.hearers.delete(this.#hearer);
    clearTimeout(this.#timer);
    await this.#looking;
    await Promise.all([...this.#open.values()].map(close));
  }

  /** Only what may bring or take a server is worth an early look: titles change all the time. */
  #hear(frame: RelayFrame): void {
    if (frame.type !== "diff" || (frame.diff.kind !== "shell" && frame.diff.kind !== "shell-gone")) return;
    const running = this.#facts.now.shells.map(({ pid, process }) => `${pid} ${process}`).join();
    if (running === this.#running) return;
    this.#running = running;
    this.#unchanged = 0;
    this.#lookIn(SOON_MS);
  }

  /** A look that is due earlier stays. */
  #lookIn(milliseconds: number): void {
    const dueAt = performance.now() + milliseconds;
    if (this.#stopped || this.#looking !== undefined || dueAt >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => {
      this.#dueAt = Number.POSITIVE_INFINITY;
      this.#looking = this.#look()
        .catch((error: unknown) => this.#parts.log.error("looking for tunnels failed", { error }))
        .finally(() => {
          this.#looking = undefined;
          const next = this.#pause();
          if (next !== undefined) this.#lookIn(next);
        });
    }, milliseconds);
    this.#timer.unref();
  }

  /** Undefined while nothing can come. */
  #pause(): number | undefined {
    const running = this.#facts.now.shells.filter((shell) => shell.running);
    if (running.length === 0) return this.#open.size === 0 ? undefined : SOON_MS;
    const busy = this.#open.size > 0 || running.some(({ process }) => process !== null);
    return busy && this.#unchanged < CALM_AFTER ? LOOK_MS : CALM_MS;
  }

  async #look(): Promise<void> {
    const facts = this.#facts;
    const found = await this.#parts.ports.find(facts.now.shells.flatMap(processOf));
    const now = new Map(found.map((one) => [one.port, one]));
    const gone = [...this.#open.values()].filter(({ record }) => now.get(record.port)?.shellId !== record.shellId);
    for (const tunnel of gone) {
      this.#open.delete(tunnel.record.port);
      await close(tunnel);
    }
    const come: Tunnel[] = [];
    for (const one of found) {
      const known = this.#open.get(one.port);
      if (known === undefined) come.push(await this.#add(one));
      else known.addresses = one.addresses;
    }
    for (const { door, outside } of this.#open.values()) {
      door.recheck();
      (await outside)?.recheck();
    }
    this.#unchanged += 1;
    if (gone.length === 0 && come.length === 0) return;
    this.#unchanged = 0;
    facts.apply({ kind: "tunnels", tunnels: [...this.#open.values()].map(({ record }) => record) });
    for (const { record } of gone) facts.emit({ type: "tunnel.closed", data: record });
    for (const record of come) facts.emit({ type: "tunnel.opened", data: record });
  }

  async #add({ port, shellId, process, addresses }: FoundPort): Promise<Tunnel> {
    const door = await this.#door(port, { host: "127.0.0.1", wish: this.#before.here.get(port) });
    this.#before.here.set(port, door.port);
    const url = `http://127.0.0.1:${door.port}/`;
    const localUrl = `http://${hostIn(addresses)}:${port}/`;
    const record = { port, shellId, process, url, localUrl, since: new Date().toISOString() };
    this.#open.set(port, { record, door, addresses, outside: undefined });
    return record;
  }

  #door(port: number, at: DoorOptions["at"]): Promise<TunnelDoor> {
    const tunnel = { session: this.#facts.now.session.id, port };
    return openTunnelDoor({
      port,
      at,
      addresses: () => this.#open.get(port)?.addresses ?? [],
      check: (asked) => this.#parts.gate.check(asked, tunnel),
    });
  }
}

async function close({ door, outside }: OpenTunnel): Promise<void> {
  await door.close();
  await (await outside)?.close();
}

/** The surest address, as it stands in a URL. */
function hostIn([address = "127.0.0.1"]: readonly string[]): string {
  return address.includes(":") ? `[${address}]` : address;
}

function processOf({ id, pid, running, command }: Shell): ShellProcess[] {
  return running && pid !== null ? [{ id, pid, program: basename(command) }] : [];
}
