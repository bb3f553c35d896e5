import type { Client } from "../../../core/client/client.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import { Undo } from "../../../core/undo.ts";
import type { OnName } from "../../../preload/channel-names.ts";
import type { MachineLink, OnMessages } from "../../../preload/channels.ts";
import { oncePerTurn } from "../notifications/once-per-turn.ts";
import { changeSince, type SessionPicture } from "./session-change.ts";

/** The page of a session window, as the bridge speaks to it. */
export interface Page {
  send<N extends OnName>(name: N, message: OnMessages[N]): void;
}

/** The connection to the machine that serves the session. */
interface LinkSource {
  link(): MachineLink;
  /** Calls back after every change, of the client too. Returns an unsubscribe function. */
  subscribe(changed: () => void): () => void;
}

/**
 * Connects one client to one page: sends its changes, at most one message per turn, and the output of the shells that
 * the page subscribes to, no faster than the page acknowledges it. One bridge per load of the page.
 */
export class SessionBridge implements Disposable {
  readonly #client: Client;
  readonly #page: Page;
  readonly #undo = new Undo();
  readonly #streams = new Map<number, { stop: () => void; unacknowledged: (() => void)[] }>();
  readonly #machine: LinkSource | undefined;
  #shown: SessionPicture | undefined;

  /** @param machine undefined for a session of this machine */
  constructor(client: Client, page: Page, machine?: LinkSource) {
    this.#client = client;
    this.#page = page;
    this.#machine = machine;
    this.#push();
    this.#undo.add(client.onEvent((event) => page.send("session.event", event)));
    this.#undo.add(
      oncePerTurn(
        (changed) => (machine ?? client).subscribe(changed),
        () => this.#push(),
      ),
    );
  }

  listen(stream: number, shell: ShellId): void {
    this.unlisten(stream);
    const unacknowledged: (() => void)[] = [];
    const stop = this.#client.terminals.subscribe(shell, {
      bytes: (bytes, done, quiet) => {
        unacknowledged.push(done);
        this.#page.send("session.bytes", { stream, bytes, quiet });
      },
      missed: (bytes, snapshot) => this.#page.send("session.missed", { stream, bytes, snapshot }),
    });
    this.#streams.set(stream, { stop, unacknowledged });
  }

  unlisten(stream: number): void {
    this.#streams.get(stream)?.stop();
    this.#streams.delete(stream);
  }

  /** Acknowledges the oldest unacknowledged piece for the page. */
  acknowledge(stream: number): void {
    this.#streams.get(stream)?.unacknowledged.shift()?.();
  }

  [Symbol.dispose](): void {
    this.#undo.dispose();
    for (const stream of [...this.#streams.keys()]) this.unlisten(stream);
  }

  #push(): void {
    const { state, mirror, self, connected } = this.#client;
    const link = this.#machine?.link();
    const now: SessionPicture = { state: state.now, mirror, self, connected, link };
    const change = changeSince(this.#shown, now);
    this.#shown = now;
    if (change !== undefined) this.#page.send("session.changed", change);
  }
}
