import type { TerminalSubscriber } from "../../../core/client/terminal-subscriptions.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";

/** A terminal on the screen, as far as a shell's output is concerned. */
export interface Screen extends TerminalSubscriber {
  /** Calls back when all bytes so far are drawn. */
  settled(done: () => void): void;
  /** What stands on this screen, with its scrollback, as bytes that draw it again. */
  serialize(): string;
  /** Draws what another screen of the same shell shows already. */
  restore(content: string): void;
}

/**
 * Shows one shell in any number of tiles. The host has one listener a shell, so its bytes go from here to every screen;
 * a screen that comes later starts with a copy of one that is there. More bytes come when all have taken these in.
 */
export class ShellFeeds {
  readonly #listen: (shell: ShellId, listener: TerminalSubscriber) => () => void;
  readonly #feeds = new Map<ShellId, Feed>();

  constructor(listen: (shell: ShellId, listener: TerminalSubscriber) => () => void) {
    this.#listen = listen;
  }

  /** Feeds a screen with a shell's output until the returned function is called. */
  attach(shell: ShellId, screen: Screen): () => void {
    const known = this.#feeds.get(shell);
    const feed = known ?? new Feed();
    const viewer = feed.join(screen);
    if (known === undefined) {
      this.#feeds.set(shell, feed);
      feed.stop = this.#listen(shell, feed);
    }
    return () => {
      feed.leave(viewer);
      if (!feed.empty || this.#feeds.get(shell) !== feed) return;
      this.#feeds.delete(shell);
      feed.stop();
    };
  }
}

/** A screen with what it still owes, and, until it has its copy, with what came meanwhile. */
interface Viewer {
  readonly screen: Screen;
  readonly owed: Set<() => void>;
  /** Whom it gets its copy from. */
  readonly source: Screen | undefined;
  waiting: { readonly bytes: Uint8Array; readonly done: () => void }[] | undefined;
}

class Feed implements TerminalSubscriber {
  readonly #viewers = new Set<Viewer>();
  stop: () => void = () => undefined;

  get empty(): boolean {
    return this.#viewers.size === 0;
  }

  join(screen: Screen): Viewer {
    const [first] = this.#viewers;
    const viewer: Viewer = {
      screen,
      owed: new Set(),
      source: first?.screen,
      waiting: first === undefined ? undefined : [],
    };
    this.#viewers.add(viewer);
    // A terminal draws a moment after it was given bytes; a copy taken before that would lack them.
    first?.screen.settled(() => catchUp(viewer, first.screen.serialize()));
    return viewer;
  }

  /** A screen that goes takes nothing in any more, and must not hold up the others. */
  leave(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    for (const done of [...viewer.owed]) done();
    for (const other of this.#viewers) if (other.source === viewer.screen) catchUp(other, viewer.screen.serialize());
  }

  bytes(bytes: Uint8Array, done: () => void): void {
    const viewers = [...this.#viewers];
    let open = viewers.length;
    if (open === 0) done();
    for (const viewer of viewers) {
      const taken = () => {
        if (!viewer.owed.delete(taken)) return;
        open -= 1;
        if (open === 0) done();
      };
      viewer.owed.add(taken);
      if (viewer.waiting === undefined) viewer.screen.bytes(bytes, taken);
      else viewer.waiting.push({ bytes, done: taken });
    }
  }

  missed(bytes: number, snapshot: string): void {
    for (const viewer of this.#viewers) {
      // The snapshot stands for everything before it, also for a copy that is still to come.
      for (const { done } of viewer.waiting ?? []) done();
      viewer.waiting = undefined;
      viewer.screen.missed(bytes, snapshot);
    }
  }
}

function catchUp(viewer: Viewer, content: string): void {
  const { waiting } = viewer;
  if (waiting === undefined) return;
  viewer.waiting = undefined;
  viewer.screen.restore(content);
  for (const { bytes, done } of waiting) viewer.screen.bytes(bytes, done);
}
