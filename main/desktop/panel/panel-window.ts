import { type BrowserWindow, type Rectangle, screen, type WebContents } from "electron";
import type { PanelContent, PanelTab } from "../../../preload/channels.ts";
import { sendToPage } from "../ipc/ipc.ts";
import { bringToFront, createPageWindow } from "../windows/page-window.ts";
import { PANEL_SIZE, panelBounds } from "./panel-place.ts";

interface Options {
  readonly preload: string;
  readonly icon: string;
  readonly content: () => PanelContent;
  /** There is no icon to come back by: the panel is a window like others. */
  readonly alone: () => boolean;
  readonly log: (line: string) => void;
}

/** The small window at the tray icon. It is made at its first showing and then only hidden, so that it opens at once. */
export class PanelWindow implements Disposable {
  readonly #options: Options;
  #window: BrowserWindow | undefined;
  #ready = false;
  /** Where the page is to turn once it listens. */
  #tab: PanelTab | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Shows the panel at the tray icon, or hides it when it is there already. */
  toggle(icon: Rectangle): void {
    if (this.#window?.isVisible()) this.#window.hide();
    else this.show(icon);
  }

  /** Shows the panel, with this tab in front. */
  show(icon: Rectangle, tab?: PanelTab): void {
    const window = this.#window ?? this.#create();
    this.#tab = tab;
    this.#turn();
    const at = icon.width > 0 ? { x: icon.x, y: icon.y } : screen.getCursorScreenPoint();
    window.setBounds(panelBounds(at, screen.getDisplayNearestPoint(at).workArea));
    if (this.#ready) {
      bringToFront(window);
      this.update();
    } else window.once("ready-to-show", () => bringToFront(window));
  }

  /** As the user's Escape: gone until the next click on the icon. A window without an icon to come back by stays. */
  hide(): void {
    if (!this.#options.alone()) this.#window?.hide();
  }

  owns(contents: WebContents): boolean {
    return this.#window?.webContents === contents;
  }

  /** Tells the page how things are, when there is a page. */
  update(): void {
    if (this.#window !== undefined && this.#ready && this.#window.isVisible()) {
      sendToPage(this.#window.webContents, "panel.changed", this.#options.content());
    }
  }

  /** The page listens from now on. */
  start(): void {
    this.#ready = true;
    if (this.#window !== undefined) sendToPage(this.#window.webContents, "panel.changed", this.#options.content());
    this.#turn();
  }

  [Symbol.dispose](): void {
    this.#window?.destroy();
  }

  #turn(): void {
    if (this.#window === undefined || !this.#ready || this.#tab === undefined) return;
    sendToPage(this.#window.webContents, "panel.tab", this.#tab);
    this.#tab = undefined;
  }

  #create(): BrowserWindow {
    const { preload, icon, log, alone } = this.#options;
    const own = alone();
    const look = { ...PANEL_SIZE, title: "Patchbay", icon, frame: own, resizable: own, skipTaskbar: !own };
    const window = createPageWindow({ page: "tray/index.html", preload, log, window: look });
    if (!own) window.on("blur", () => window.hide());
    window.once("closed", () => {
      this.#window = undefined;
      this.#ready = false;
    });
    this.#window = window;
    return window;
  }
}
