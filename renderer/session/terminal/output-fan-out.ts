import type { TerminalSubscriber } from "../../../core/client/terminal-subscriptions.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";

/** A terminal's screen, as a receiver of shell output. */
export interface Screen extends TerminalSubscriber {
  /** Calls back when all bytes so far are drawn. */
  settled(done: () => void): void;
  /** Returns the screen and its scrollback as bytes that draw them again. */
  serialize(): string;
  /** Draws the serialized content of another screen. */
  restore(content: string): void;
}

type Subscribe = (shell: ShellId, subscriber: TerminalSubscriber) => () => void;

/**
 * Delivers a shell's output to any number of screens over the host's single subscription per shell. A screen that
 * attaches later starts with a copy of an existing one. Bytes are acknowledged once every screen has acknowledged them.
 */
export class OutputFanOut {
  readonly #subscribe: Subscribe;
  readonly #shells = new Map<ShellId, ShellFanOut>();
  readonly #missedListeners = new Set<() => void>();

  constructor(subscribe: Subscribe) {
    this.#subscribe = subscribe;
  }

  /** Attaches a screen to a shell's output. Returns a function that detaches it. */
  attach(shell: ShellId, screen: Screen): () => void {
    const known = this.#shells.get(shell);
    const fanOut = known ?? new ShellFanOut(this.#missed);
    const attached = fanOut.add(screen);
    if (known === undefined) {
      this.#shells.set(shell, fanOut);
      fanOut.unsubscribe = this.#subscribe(shell, fanOut);
    }
    return () => {
      fanOut.remove(attached);
      if (!fanOut.isEmpty || this.#shells.get(shell) !== fanOut) return;
      this.#shells.delete(shell);
      fanOut.unsubscribe();
    };
  }

  /** Calls back when output of a shell was skipped. Returns an unsubscribe function. */
  onMissed(listener: () => void): () => void {
    this.#missedListeners.add(listener);
    return () => this.#missedListeners.delete(listener);
  }

  readonly #missed = (): void => {
    for (const listener of [...this.#missedListeners]) listener();
  };
}

interface AttachedScreen {
  readonly screen: Screen;
  readonly unacknowledged: Set<() => void>;
  /** The screen that this one is copied from. */
  readonly source: Screen | undefined;
  /** Bytes received before the copy was drawn; undefined afterwards. */
  buffered: { readonly bytes: Uint8Array; readonly acknowledge: () => void; readonly quiet: boolean }[] | undefined;
}

class ShellFanOut implements TerminalSubscriber {
  readonly #screens = new Set<AttachedScreen>();
  readonly #onMissed: () => void;
  unsubscribe: () => void = () => undefined;

  constructor(onMissed: () => void) {
    this.#onMissed = onMissed;
  }

  get isEmpty(): boolean {
    return this.#screens.size === 0;
  }

  add(screen: Screen): AttachedScreen {
    const [first] = this.#screens;
    const attached: AttachedScreen = {
      screen,
      unacknowledged: new Set(),
      source: first?.screen,
      buffered: first === undefined ? undefined : [],
    };
    this.#screens.add(attached);
    // Terminals draw asynchronously: an earlier copy would lack the latest bytes.
    first?.screen.settled(() => catchUp(attached, first.screen.serialize()));
    return attached;
  }

  /** Removes a screen and acknowledges its pending bytes, so that it does not block the others. */
  remove(attached: AttachedScreen): void {
    this.#screens.delete(attached);
    for (const acknowledge of [...attached.unacknowledged]) acknowledge();
    for (const other of this.#screens) {
      if (other.source === attached.screen) catchUp(other, attached.screen.serialize());
    }
  }

  /** Of several screens only the first one answers queries in the bytes. */
  bytes(bytes: Uint8Array, acknowledge: () => void, quiet: boolean): void {
    const screens = [...this.#screens];
    let remaining = screens.length;
    if (remaining === 0) acknowledge();
    for (const [index, attached] of screens.entries()) {
      const isQuiet = quiet || index > 0;
      const acknowledgeOne = () => {
        if (!attached.unacknowledged.delete(acknowledgeOne)) return;
        remaining -= 1;
        if (remaining === 0) acknowledge();
      };
      attached.unacknowledged.add(acknowledgeOne);
      if (attached.buffered === undefined) attached.screen.bytes(bytes, acknowledgeOne, isQuiet);
      else attached.buffered.push({ bytes, acknowledge: acknowledgeOne, quiet: isQuiet });
    }
  }

  missed(bytes: number, snapshot: string): void {
    for (const attached of this.#screens) {
      // The snapshot replaces everything before it, including a pending copy.
      for (const { acknowledge } of attached.buffered ?? []) acknowledge();
      attached.buffered = undefined;
      attached.screen.missed(bytes, snapshot);
    }
    this.#onMissed();
  }
}

function catchUp(attached: AttachedScreen, content: string): void {
  const { buffered } = attached;
  if (buffered === undefined) return;
  attached.buffered = undefined;
  attached.screen.restore(content);
  for (const { bytes, acknowledge, quiet } of buffered) attached.screen.bytes(bytes, acknowledge, quiet);
}
