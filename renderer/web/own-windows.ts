import type { Client } from "../../core/client/client.ts";
import { workspaceOfWindow } from "../../core/state/client-state.ts";
import { windowIdOf } from "../session/view/own-window.ts";
import type { OwnWindows, SessionHost } from "../session/view/session-host.ts";

declare global {
  interface Window {
    /** Of a session's page and its windows, which show the page's client and have no connection of their own. */
    patchbayWindows?: PageWindows;
  }
}

/** Where a page keeps what makes it the same client after a reload. Browsers copy it to the windows that the page opens. */
export const RESUME = "patchbay-resume";

const SIZE = "popup,width=960,height=640";
/** Browsers do not tell a page that a window was closed. */
const CHECK_MS = 300;
/** Number of checks for a page that loads before the window says that it waits. */
const PATIENCE = 3;

/** The windows that a session's page and its windows have opened for workspaces. */
export class PageWindows {
  readonly page: Window;
  readonly #client: Pick<Client, "state" | "execute">;
  readonly #changed: () => void;
  readonly #open = new Map<number, Window>();
  #host: SessionHost | undefined;
  #timer: number | undefined;

  /** @param changed called after windows have come or gone */
  constructor(page: Window, client: Pick<Client, "state" | "execute">, changed: () => void) {
    this.page = page;
    this.#client = client;
    this.#changed = changed;
  }

  /** From now on windows can attach, also those that were opened before a reload of this page. */
  serve(host: SessionHost): void {
    this.#host = host;
    this.page.patchbayWindows = this;
  }

  add(id: number, window: Window): void {
    this.#open.set(id, window);
    this.#timer ??= this.page.setInterval(() => this.#check(), CHECK_MS);
    this.#changed();
  }

  /** Returns the window of a workspace; undefined if it is not there. */
  find(id: number): Window | undefined {
    return this.#open.get(id);
  }

  close(id: number): void {
    this.#open.get(id)?.close();
    this.#remove(id);
  }

  /** Returns the session's host for a window; undefined if nothing is left that it could show. */
  attach(window: Window, id: number): SessionHost | undefined {
    const isThere = workspaceOfWindow(this.#client.state.now, id) !== -1;
    const isOther = (this.#open.get(id) ?? window) !== window;
    if (this.#host === undefined || !isThere || isOther) return undefined;
    this.add(id, window);
    window.patchbayWindows = this;
    return this.#host;
  }

  #remove(id: number): void {
    if (!this.#open.delete(id)) return;
    if (this.#open.size === 0) {
      this.page.clearInterval(this.#timer);
      this.#timer = undefined;
    }
    this.#changed();
  }

  /** Closing a window moves its tiles back. */
  #check(): void {
    for (const [id, window] of [...this.#open]) {
      if (!isGone(window, id)) continue;
      this.#remove(id);
      const { now } = this.#client.state;
      const [tile] = now.workspaces[workspaceOfWindow(now, id)]?.recent ?? [];
      if (tile !== undefined) void this.#client.execute("moveBack", { tile });
    }
  }
}

/**
 * Returns the windows as one of them reaches them: browsers let that one open windows, and bring them to the front, in
 * which the user is.
 */
export function windowsFrom(window: Window, pages: PageWindows, own: number | undefined): OwnWindows {
  return {
    own,
    open(id) {
      const opened = window.open(`${window.location.pathname}?window=${id}`, "_blank", SIZE);
      if (opened === null || opened.closed) return false;
      pages.add(id, opened);
      return true;
    },
    close: (id) => pages.close(id),
    isOpen: (id) => pages.find(id) !== undefined,
    show: (id) => (id === undefined ? pages.page : pages.find(id))?.focus(),
  };
}

/** Whether a window was closed, or shows another page. */
function isGone(window: Window, id: number): boolean {
  try {
    const { href, search } = window.location;
    return window.closed || (href !== "about:blank" && windowIdOf({ search }) !== id);
  } catch {
    return true;
  }
}

/**
 * Waits for the page whose session this window shows, which may be loading, and returns the session's host. Undefined if
 * that page is gone, or has nothing left to show here.
 */
export async function attachWindow(window: Window, id: number, wait: () => void): Promise<SessionHost | undefined> {
  for (let tries = 0; ; tries++) {
    const opener = window.opener as Window | null;
    if (opener === null || opener.closed) return undefined;
    const pages = windowsOf(opener);
    if (pages !== undefined) return hostIn(window, pages, id);
    if (tries === PATIENCE) wait();
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
  }
}

function hostIn(window: Window, pages: PageWindows, id: number): SessionHost | undefined {
  const host = pages.attach(window, id);
  if (host === undefined) return undefined;
  // A reload of that page ends its client, so this window attaches to the next one.
  pages.page.addEventListener("pagehide", () => window.location.reload(), { once: true });
  const check = () => {
    const isThere = workspaceOfWindow(host.snapshot().state, id) !== -1;
    if (!isThere || pages.page.closed) window.close();
  };
  host.subscribe(check);
  setInterval(check, CHECK_MS);
  const { install: _, drawer: __, ...shared } = host;
  return {
    ...shared,
    windows: windowsFrom(window, pages, id),
    // Messages of others are for the main window.
    onToast: () => () => undefined,
    openInBrowser: (url) => void window.open(url, "_blank", "noopener,noreferrer"),
  };
}

/** Returns undefined while a page loads, and where it is of another site. */
function windowsOf(opener: Window): PageWindows | undefined {
  try {
    return opener.patchbayWindows;
  } catch {
    return undefined;
  }
}
