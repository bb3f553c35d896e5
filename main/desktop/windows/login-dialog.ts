import { type BrowserWindow, screen, type WebContents } from "electron";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { PendingLogin } from "../../../core/protocol/pending-login.ts";
import { type ChannelHandlers, sendToPage } from "../ipc/ipc.ts";
import type { NativeNotifications } from "../notifications/native-notifications.ts";
import type { RelayDesk } from "../sessions/relay-for-desktop.ts";
import { words } from "../words.ts";
import { bringToFront, createPageWindow } from "./page-window.ts";

const WIDTH = 440;
/** Until the page has measured what it shows. */
const FIRST_HEIGHT = 260;
/** From the top of the screen, and at least so much below. */
const EDGE = 80;

interface Options {
  readonly logins: RelayDesk["logins"];
  /** Answers a login; one that no longer waits is passed over. */
  readonly answer: (code: string, allow: boolean) => Promise<unknown>;
  readonly preload: string;
  readonly icon: string;
  readonly native: NativeNotifications;
  readonly log: (line: string) => void;
}

/**
 * Asks the user about pending logins: in a small window, shown without taking the focus, and in a notification that
 * opens it. Closing the window denies the logins it shows.
 */
export class LoginDialog implements Disposable {
  readonly #options: Options;
  readonly #stop: () => void;
  #window: BrowserWindow | undefined;
  #ready = false;
  #shown: readonly PendingLogin[] = [];
  /** Height of the questions as measured by the page; undefined before. */
  #height: number | undefined;
  /** Closes the notification of the latest login, also while it is being shown. */
  #closeNotification = () => {};

  constructor(options: Options) {
    this.#options = options;
    this.#stop = options.logins.onChange(() => this.#update());
    this.#update();
  }

  owns(contents: WebContents): boolean {
    return this.#window?.webContents === contents;
  }

  /** The handlers for calls of its page only. */
  channels(): Pick<ChannelHandlers, "login.start" | "login.size" | "login.answer"> {
    const own = (caller: WebContents) => {
      if (!this.owns(caller)) throw new RemoteError("scope_forbids", "Only the login's page may ask for this.");
    };
    return {
      "login.start": (caller) => {
        own(caller);
        this.#ready = true;
        this.#draw();
      },
      "login.size": (caller, { height }) => {
        own(caller);
        this.#height = height;
        this.#place();
      },
      "login.answer": (caller, { code, allow }) => {
        own(caller);
        return this.#options.answer(code, allow);
      },
    };
  }

  [Symbol.dispose](): void {
    this.#stop();
    this.#closeNotification();
    this.#window?.destroy();
  }

  #update(): void {
    const before = new Set(this.#shown.map(({ code }) => code));
    this.#shown = this.#options.logins.pending();
    const fresh = this.#shown.find(({ code }) => !before.has(code));
    if (fresh !== undefined) {
      this.#window ??= this.#create();
      this.#announce(fresh);
    }
    this.#draw();
  }

  #draw(): void {
    const window = this.#window;
    if (window === undefined || !this.#ready) return;
    sendToPage(window.webContents, "login.changed", this.#shown);
    if (this.#shown.length === 0) {
      this.#closeNotification();
      window.hide();
      this.#height = undefined;
    } else this.#place();
  }

  /** As tall as the questions, which scroll when the screen is too low. */
  #place(): void {
    const window = this.#window;
    if (window === undefined || this.#height === undefined || this.#shown.length === 0) return;
    const { x, y, width, height: most } = screen.getPrimaryDisplay().workArea;
    const height = Math.max(1, Math.min(this.#height, most - 2 * EDGE));
    window.setContentBounds({ x: x + Math.round((width - WIDTH) / 2), y: y + EDGE, width: WIDTH, height });
    if (!window.isVisible()) window.showInactive();
  }

  /** The window shows the same, so nothing is lost without a notification. */
  #announce({ name, code }: PendingLogin): void {
    this.#closeNotification();
    let wanted = true;
    let close = () => {};
    this.#closeNotification = () => {
      wanted = false;
      close();
    };
    const clicked = () => {
      if (this.#window !== undefined && this.#shown.length > 0) bringToFront(this.#window);
    };
    this.#options.native.show({ title: words.notices.login, body: words.notices.loginCode(name, code), clicked }).then(
      (closeIt) => {
        close = closeIt;
        if (!wanted) close();
      },
      () => undefined,
    );
  }

  #create(): BrowserWindow {
    const { preload, icon, log, answer } = this.#options;
    const window = createPageWindow({
      page: "login/index.html",
      preload,
      log,
      window: {
        width: WIDTH,
        height: FIRST_HEIGHT,
        title: "Patchbay",
        icon,
        resizable: false,
        minimizable: false,
        maximizable: false,
        fullscreenable: false,
        alwaysOnTop: true,
        autoHideMenuBar: true,
      },
    });
    window.on("close", () => {
      for (const { code } of this.#shown) void answer(code, false);
    });
    window.once("closed", () => {
      this.#window = undefined;
      this.#ready = false;
      this.#height = undefined;
    });
    return window;
  }
}

/** Answers logins; one that was answered or has expired meanwhile is passed over. */
export function answerLogin(relay: RelayDesk): (code: string, allow: boolean) => Promise<void> {
  return async (code, allow) => {
    try {
      await relay.run("answerLogin", { code, allow });
    } catch (error) {
      if (!(error instanceof RemoteError && error.code === "unknown_login")) throw error;
    }
  };
}
