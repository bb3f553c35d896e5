import { type BrowserWindow, screen, type WebContents } from "electron";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionToast } from "../../../preload/channels.ts";
import { type ChannelHandlers, sendToPage } from "../ipc/ipc.ts";
import type { NoticeSource, Toast } from "../sessions/notices.ts";
import { createPageWindow } from "./page-window.ts";

const WIDTH = 340;
const TOAST_HEIGHT = 76;
const EDGE = 16;
const MAX_TOASTS = 4;
/** A window whose page is not drawn by then counts as not shown. */
const DRAWN_WITHIN_MS = 4_000;
/** Long enough to notice and read two lines. */
const SHOWN_MS = 8_000;

interface ToastEntry {
  readonly toast: SessionToast;
  readonly source: NoticeSource;
  /** Counts from the first drawing: a toast that was never visible does not expire. */
  timer: NodeJS.Timeout | undefined;
}

interface Options {
  readonly preload: string;
  readonly log: (line: string) => void;
  readonly clicked: (source: NoticeSource) => void;
}

/** Toasts at the corner of the screen, for sessions whose window is not visible. Never takes the focus. */
export class ToastWindow implements Disposable {
  readonly #options: Options;
  #held: readonly ToastEntry[] = [];
  #nextId = 1;
  /** The pointer is over them. */
  #reading = false;
  #window: BrowserWindow | undefined;
  #ready = false;
  readonly #waiting = new Set<(drawn: boolean) => void>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves with whether it was shown. */
  show({ message, kind }: Toast, source: NoticeSource): Promise<boolean> {
    const toast: SessionToast = { id: this.#nextId++, from: source.name, message, kind };
    for (const { toast: old } of this.#held.slice(0, Math.max(0, this.#held.length - MAX_TOASTS + 1)))
      this.#drop(old.id);
    this.#held = [...this.#held, { toast, source, timer: undefined }];
    this.#window ??= this.#create();
    const drawn = this.#drawn();
    this.#draw();
    return drawn;
  }

  owns(contents: WebContents): boolean {
    return this.#window?.webContents === contents;
  }

  /** The handlers for calls of its page only. */
  channels(): Pick<ChannelHandlers, "toast.start" | "toast.open" | "toast.hold" | "toast.dismiss"> {
    const own = (caller: WebContents) => {
      if (!this.owns(caller)) throw new RemoteError("scope_forbids", "Only the toasts' page may ask for this.");
    };
    return {
      "toast.start": (caller) => {
        own(caller);
        this.#ready = true;
        this.#draw();
      },
      "toast.open": (caller, { id }) => {
        own(caller);
        const held = this.#held.find(({ toast }) => toast.id === id);
        this.#drop(id);
        if (held !== undefined) this.#options.clicked(held.source);
      },
      "toast.hold": (caller, { held }) => {
        own(caller);
        this.#hold(held);
      },
      "toast.dismiss": (caller, { id }) => {
        own(caller);
        this.#drop(id);
      },
    };
  }

  [Symbol.dispose](): void {
    for (const { timer } of this.#held) clearTimeout(timer);
    this.#held = [];
    this.#settle(false);
    this.#window?.destroy();
  }

  #drawn(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(false), DRAWN_WITHIN_MS);
      const settle = (drawn: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(settle);
        resolve(drawn);
      };
      this.#waiting.add(settle);
    });
  }

  #settle(drawn: boolean): void {
    for (const settle of [...this.#waiting]) settle(drawn);
  }

  #drop(id: number): void {
    for (const { toast, timer } of this.#held) if (toast.id === id) clearTimeout(timer);
    this.#held = this.#held.filter(({ toast }) => toast.id !== id);
    this.#draw();
  }

  /** Keeps all toasts while the pointer is over them, and restarts their time afterwards. */
  #hold(reading: boolean): void {
    this.#reading = reading;
    for (const held of this.#held) {
      clearTimeout(held.timer);
      held.timer = undefined;
    }
    this.#draw();
  }

  #draw(): void {
    const window = this.#window;
    if (window === undefined || !this.#ready) return;
    if (!this.#reading) {
      for (const held of this.#held) held.timer ??= setTimeout(() => this.#drop(held.toast.id), SHOWN_MS);
    }
    const shown = this.#held.map(({ toast }) => toast);
    sendToPage(window.webContents, "toast.changed", shown);
    if (shown.length === 0) {
      // A window hidden under the pointer gets no leave event.
      this.#reading = false;
      window.hide();
      return;
    }
    const { x, y, width, height } = screen.getPrimaryDisplay().workArea;
    const tall = shown.length * TOAST_HEIGHT;
    window.setBounds({ x: x + width - WIDTH - EDGE, y: y + height - tall - EDGE, width: WIDTH, height: tall });
    if (!window.isVisible()) window.showInactive();
    this.#settle(true);
  }

  #create(): BrowserWindow {
    const { preload, log } = this.#options;
    const window = createPageWindow({
      page: "toast/index.html",
      preload,
      log,
      window: {
        width: WIDTH,
        height: TOAST_HEIGHT,
        title: "Patchbay",
        frame: false,
        resizable: false,
        focusable: false,
        skipTaskbar: true,
        alwaysOnTop: true,
      },
    });
    window.once("closed", () => {
      this.#window = undefined;
      this.#ready = false;
      this.#reading = false;
      this.#settle(false);
    });
    return window;
  }
}
