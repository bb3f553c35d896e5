import { type BrowserWindow, screen, type WebContents } from "electron";
import type { PanelContent, SettingsTarget } from "../../../preload/channels.ts";
import { sendToPage } from "../ipc/ipc.ts";
import { keepPlace } from "../windows/keep-place.ts";
import { bringToFront, createPageWindow } from "../windows/page-window.ts";
import type { WindowPlacementStore } from "../windows/window-placement.ts";
import { words } from "../words.ts";

const SIZE = { width: 860, height: 620 } as const;
/** Between the names of windows of sessions, which are ids of sessions: these have no dot. */
const PLACE = ".settings";

interface Options {
  readonly preload: string;
  readonly icon: string;
  readonly places: WindowPlacementStore;
  readonly content: () => PanelContent;
  readonly log: (line: string) => void;
}

/** The window of the settings: one for the whole app, and gone when it is closed. Its page is one of the panel's. */
export class SettingsWindow implements Disposable {
  readonly #options: Options;
  #window: BrowserWindow | undefined;
  #ready = false;
  /** What to show once the page is ready. */
  #target: SettingsTarget = {};

  constructor(options: Options) {
    this.#options = options;
  }

  /** Opens the window or brings it to the front, with a section, or the one that was shown last. */
  show(target: SettingsTarget = {}): void {
    this.#target = target;
    this.#window ??= this.#create();
    this.#turn();
    bringToFront(this.#window);
  }

  /** Closes the window, as Escape does. */
  hide(): void {
    this.#window?.close();
  }

  owns(contents: WebContents): boolean {
    return this.#window?.webContents === contents;
  }

  /** Sends the current content to the page, if there is one. */
  update(): void {
    if (this.#window !== undefined && this.#ready) {
      // The language may be another one now.
      this.#window.setTitle(words.windows.settings);
      sendToPage(this.#window.webContents, "panel.changed", this.#options.content());
    }
  }

  /** Called when the page is ready. */
  start(): void {
    this.#ready = true;
    this.#turn();
    this.update();
  }

  [Symbol.dispose](): void {
    this.#window?.destroy();
  }

  #turn(): void {
    if (this.#window === undefined || !this.#ready || this.#target.section === undefined) return;
    sendToPage(this.#window.webContents, "panel.section", this.#target);
    this.#target = {};
  }

  #create(): BrowserWindow {
    const { preload, icon, places, log } = this.#options;
    const place = places.find(
      PLACE,
      screen.getAllDisplays().map(({ workArea }) => workArea),
    );
    const look = { ...SIZE, ...place, minWidth: 360, minHeight: 320, title: words.windows.settings, icon };
    const window = createPageWindow({ page: "tray/index.html?settings", preload, log, window: look });
    window.on("page-title-updated", (event) => event.preventDefault());
    keepPlace(window, { places, name: PLACE, session: undefined });
    window.once("closed", () => {
      this.#window = undefined;
      this.#ready = false;
    });
    return window;
  }
}
