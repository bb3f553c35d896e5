import { basename } from "node:path";
import type { RelayFrame } from "../../../core/protocol/frames.ts";
import type { Shell, Tunnel } from "../../../core/protocol/records.ts";
import type { Log } from "../log.ts";
import type { FoundPort, ListeningPorts, ShellProcess } from "../ports.ts";
import type { Hearer, SessionFacts } from "../session-facts.ts";
import { openTunnelDoor, type TunnelDoor } from "./tunnel-door.ts";
import type { TunnelGate } from "./tunnel-gate.ts";

/** While something listens, or shells run a program. */
const LOOK_MS = 1000;
/** While all shells wait at their prompts. */
const CALM_MS = 3000;
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
  addresses: readonly string[];
}

/**
 * The tunnels of one session: looks for ports that its shells' programs listen on, gives each a door, and tells the
 * session. No timer runs while no shell does.
 */
export class SessionTunnels implements AsyncDisposable {
  readonly #parts: TunnelParts;
  readonly #facts: SessionFacts;
  readonly #open = new Map<number, OpenTunnel>();
  /** The doors' ports of before, so that a server that is restarted is found at the same address. */
  readonly #before = new Map<number, number>();
  readonly #hearer: Hearer;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #stopped = false;

  constructor(parts: TunnelParts, facts: SessionFacts) {
    this.#parts = parts;
    this.#facts = facts;
    this.#hearer = { send: (frame) => this.#hear(frame) };
    facts.hearers.add(this.#hearer);
    this.#lookIn(SOON_MS);
  }

  /** The tunnel to a port. */
  find(port: number): { readonly record: Tunnel; readonly addresses: readonly string[] } | undefined {
    return this.#open.get(port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    this.#facts.hearers.delete(this.#hearer);
    clearTimeout(this.#timer);
    await this.#looking;
    await Promise.all([...this.#open.values()].map(({ door }) => door.close()));
  }

  #hear(frame: RelayFrame): void {
    if (frame.type === "diff" && (frame.diff.kind === "shell" || frame.diff.kind === "shell-gone")) {
      this.#lookIn(SOON_MS);
    }
  }

  #lookIn(milliseconds: number): void {
    if (this.#stopped || this.#looking !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
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
    return this.#open.size > 0 || running.some(({ process }) => process !== null) ? LOOK_MS : CALM_MS;
  }

  async #look(): Promise<void> {
    const facts = this.#facts;
    const found = await this.#parts.ports.find(facts.now.shells.flatMap(processOf));
    const now = new Map(found.map((one) => [one.port, one]));
    const gone = [...this.#open.values()].filter(({ record }) => now.get(record.port)?.shellId !== record.shellId);
    for (const { record, door } of gone) {
      this.#open.delete(record.port);
      await door.close();
    }
    const come: Tunnel[] = [];
    for (const one of found) {
      const known = this.#open.get(one.port);
      if (known === undefined) come.push(await this.#add(one));
      else known.addresses = one.addresses;
    }
    for (const { door } of this.#open.values()) door.recheck();
    if (gone.length === 0 && come.length === 0) return;
    facts.apply({ kind: "tunnels", tunnels: [...this.#open.values()].map(({ record }) => record) });
    for (const { record } of gone) facts.emit({ type: "tunnel.closed", data: record });
    for (const record of come) facts.emit({ type: "tunnel.opened", data: record });
  }

  async #add({ port, shellId, process, addresses }: FoundPort): Promise<Tunnel> {
    const tunnel = { session: this.#facts.now.session.id, port };
    const door = await openTunnelDoor({
      port,
      addresses: () => this.#open.get(port)?.addresses ?? [],
      at: { host: "127.0.0.1", wish: this.#before.get(port) },
      check: (asked) => this.#parts.gate.check(asked, tunnel),
    });
    this.#before.set(port, door.port);
    const url = `http://127.0.0.1:${door.port}/`;
    const record = { port, shellId, process, url, since: new Date().toISOString() };
    this.#open.set(port, { record, door, addresses });
    return record;
  }
}

function processOf({ id, pid, running, command }: Shell): ShellProcess[] {
  return running && pid !== null ? [{ id, pid, program: basename(command) }] : [];
}
