import { type BrowserWindow, type Rectangle, screen, type WebContents } from "electron";
import type { PanelContent, PanelTab } from "../../../preload/channels.ts";
import { sendToPage } from "../ipc/ipc.ts";
import { bringToFront, createPageWindow } from "../windows/page-window.ts";
import { PANEL_SIZE, panelBounds } from "./panel-place.ts";

interface Options {
  readonly preload: string;
  readonly icon: string;
  readonly content: () => PanelContent;
  /** Whether there is no tray icon: the panel is then an ordinary window. */
  readonly alone: () => boolean;
  readonly log: (line: string) => void;
}

/** The small window at the tray icon. It is created when first shown and then only hidden, so that it opens at once. */
export class PanelWindow implements Disposable {
  readonly #options: Options;
  #window: BrowserWindow | undefined;
  #ready = false;
  /** The tab to show once the page is ready. */
  #tab: PanelTab | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Toggles the panel at the tray icon. */
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
    bringToFront(window);
    this.update();
  }

  /** Hides the panel, as Escape does, until the next click on the icon. A window without a tray icon stays. */
  hide(): void {
    if (!this.#options.alone()) this.#window?.hide();
  }

  owns(contents: WebContents): boolean {
    return this.#window?.webContents === contents;
  }

  /** Sends the current content to the page, if there is one. */
  update(): void {
    if (this.#window !== undefined && this.#ready && this.#window.isVisible()) {
      sendToPage(this.#window.webContents, "panel.changed", this.#options.content());
    }
  }

  /** Called when the page is ready. */
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
