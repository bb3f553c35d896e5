import type { Machine } from "../../../client/machines.ts";
import { Client } from "../../../core/client/client.ts";
import { type DialResult, stayConnected } from "../../../core/client/stay-connected.ts";
import { errorText } from "../../../core/protocol/error-text.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { MachineRef } from "../../../core/protocol/machines.ts";
import type { Viewport } from "../../../core/state/ports.ts";
import type { MachineLink } from "../../../preload/channels.ts";
import { words } from "../words.ts";
import type { WindowSession } from "./desktop-client.ts";
import type { Toast } from "./notices.ts";

/** Viewport until the window has measured itself. */
const FIRST_VIEWPORT = { cols: 132, rows: 40 };

/** How often it is looked whether the machine is still one of the user's: what is open ends with its record. */
const LOOK_EVERY_MS = 2000;

interface Options {
  readonly machine: Machine;
  /** Returns the machine as it is now; undefined once it is none of the user's machines any more. */
  readonly find: (ref: MachineRef) => Machine | undefined;
  readonly session: { readonly id: SessionId; readonly name: string };
  /** What an earlier window of the session left, so that this one has its layout. */
  readonly resume: string | undefined;
  /** Shows a toast in the session's window; false when that cannot be seen. */
  readonly toast: (toast: Toast) => boolean;
  /** Called when the machine has refused the session until the user does something about it. */
  readonly refused: (why: string, needsKey: boolean) => void;
}

/**
 * The client of a session that the relay of another machine serves. It stays connected while its window is open, and says
 * why it is not. It runs in this process, so that no page has the machine's key.
 */
export class MachineSession implements WindowSession, Disposable {
  readonly id: SessionId;
  readonly client: Client;
  readonly ref: MachineRef;
  /** Of the machine. */
  readonly machineId: string;
  readonly #options: Options;
  readonly #views = new Set<() => void>();
  readonly #look: NodeJS.Timeout;
  #viewport: Viewport = FIRST_VIEWPORT;
  #link: Omit<MachineLink, "machine" | "session"> = { state: "opening" };
  #needsKey = false;
  #stop: () => void = () => undefined;
  #wake: () => void = () => undefined;

  constructor(options: Options) {
    const { machine, session, resume, toast } = options;
    this.#options = options;
    this.id = session.id;
    this.ref = machine.ref;
    this.machineId = machine.id;
    const show = (shown: Toast) => (toast(shown) ? "toast" : "log");
    this.client = new Client(
      {
        // A relay takes no connection for the desktop of its own machine.
        kind: "browser",
        device: "Patchbay app",
        toast: show,
        notify: ({ title, body }) => show({ kind: "info", message: body ? `${title}: ${body}` : title }),
        viewport: () => this.#viewport,
      },
      resume,
    );
    this.client.subscribe(() => this.#follow());
    this.#look = setInterval(() => this.#endWithRecord(), LOOK_EVERY_MS).unref();
    this.#start();
  }

  name(): string {
    return this.client.mirror?.session.name ?? this.#options.session.name;
  }

  address(): string {
    return (this.#find() ?? this.#options.machine).url;
  }

  setViewport(size: Viewport): void {
    this.#viewport = size;
  }

  link(): MachineLink {
    return { machine: this.ref.machine, session: this.name(), ...this.#link };
  }

  /** Calls back after every change of the client or of the connection. Returns an unsubscribe function. */
  subscribe(changed: () => void): () => void {
    this.#views.add(changed);
    return () => this.#views.delete(changed);
  }

  /** Connects now: after a refusal, or before the next attempt is due. */
  retry(): void {
    if (this.#link.state === "refused") {
      this.#set({ state: "opening" });
      this.#start();
    } else this.#wake();
  }

  /** Ends the connection until `retry`, as a refusal of the machine does. */
  refuse(why: string, needsKey = true): void {
    this.#stop();
    this.#wake();
    this.#refused(why, needsKey);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#look);
    this.#views.clear();
    this.#stop();
    this.#wake();
  }

  #start(): void {
    this.#stop = stayConnected(this.client, {
      dial: () => this.#dial(),
      pause: (ms) => this.#pause(ms),
      onRefused: (why) => this.#refused(why, this.#needsKey),
      random: Math.random,
    });
  }

  #find(): Machine | undefined {
    const machine = this.#options.find(this.ref);
    return machine?.id === this.machineId ? machine : undefined;
  }

  /** A relay of the fleet is found by the broker, which may be away for a while. */
  #endWithRecord(): void {
    if (this.ref.via === "fleet" || this.#link.state === "refused" || this.#find() !== undefined) return;
    this.refuse(words.windows.noMachine(this.ref.machine), false);
  }

  async #dial(): Promise<DialResult> {
    const machine = this.#find();
    this.#needsKey = false;
    if (machine === undefined) return { refused: words.windows.noMachine(this.ref.machine) };
    try {
      const opening = await machine.connect(this.id);
      if ("link" in opening) return opening;
      this.#needsKey = opening.needsKey;
      return { refused: opening.refused };
    } catch (error) {
      const why = errorText(error);
      this.#set({ state: "away", why, since: this.#link.since ?? machine.lastSeen });
      throw error;
    }
  }

  #follow(): void {
    const { connected } = this.client;
    const isOpen = this.#link.state === "open";
    if (connected === isOpen) this.#tell();
    else if (connected) this.#set({ state: "open" });
    else this.#set({ state: "away", since: new Date().toISOString() });
  }

  #refused(why: string, needsKey: boolean): void {
    this.#set({ state: "refused", why, needsKey });
    this.#options.refused(why, needsKey);
  }

  #set(link: Omit<MachineLink, "machine" | "session">): void {
    this.#link = link;
    this.#tell();
  }

  #tell(): void {
    for (const view of [...this.#views]) view();
  }

  /** Waits, until `retry` at most. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake(), ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = () => undefined;
        resolve();
      };
    });
  }
}
