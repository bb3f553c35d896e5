import type { TerminalListener } from "../../../core/client/terminal-streams.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";

/** A terminal on the screen, as far as a shell's output is concerned. */
export interface Screen extends TerminalListener {
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
  readonly #listen: (shell: ShellId, listener: TerminalListener) => () => void;
  readonly #feeds = new Map<ShellId, Feed>();

  constructor(listen: (shell: ShellId, listener: TerminalListener) => () => void) {
    this.#listen = listen;
  }

  /** Feeds a screen with a shell's output until the returned function is called. */
  attach(shell: ShellId, screen: Screen): () => void {
    const feed = this.#feeds.get(shell);
    if (feed === undefined) this.#feeds.set(shell, this.#open(shell, screen));
    else {
      const [first] = feed.screens;
      if (first !== undefined) screen.restore(first.serialize());
      feed.screens.add(screen);
    }
    return () => this.#detach(shell, screen);
  }

  #open(shell: ShellId, first: Screen): Feed {
    const screens = new Set([first]);
    const stop = this.#listen(shell, {
      bytes(bytes, done) {
        let open = screens.size;
        if (open === 0) done();
        const taken = () => {
          open -= 1;
          if (open === 0) done();
        };
        for (const screen of [...screens]) screen.bytes(bytes, taken);
      },
      missed(bytes, snapshot) {
        for (const screen of [...screens]) screen.missed(bytes, snapshot);
      },
    });
    return { screens, stop };
  }

  #detach(shell: ShellId, screen: Screen): void {
    const feed = this.#feeds.get(shell);
    if (feed === undefined || !feed.screens.delete(screen) || feed.screens.size > 0) return;
    this.#feeds.delete(shell);
    feed.stop();
  }
}

interface Feed {
  readonly screens: Set<Screen>;
  stop(): void;
}
