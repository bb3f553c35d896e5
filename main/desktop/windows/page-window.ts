import { BrowserWindow, type BrowserWindowConstructorOptions, nativeTheme } from "electron";
import { appUrl } from "../ipc/app-url.ts";
import { sendToPage } from "../ipc/ipc.ts";
import { onSpeech, speechOfApp } from "../speech.ts";
import { themeColours } from "./theme-colours.ts";

interface Options {
  /** Below the pages' folder, for example `window/index.html`. */
  readonly page: string;
  readonly preload: string;
  readonly window: BrowserWindowConstructorOptions;
  readonly log: (line: string) => void;
}

/** The window asked for last. One that has loaded later than that appears behind it and leaves it the focus. */
let wanted: BrowserWindow | undefined;

/** Windows whose page is not drawn yet: whether they were asked for meanwhile. */
const loading = new WeakMap<BrowserWindow, { asked: boolean }>();

/** A window with one of the app's own pages, isolated and sandboxed. The caller brings it to the front or shows it. */
export function createPageWindow({ page, preload, window: look, log }: Options): BrowserWindow {
  const window = new BrowserWindow({
    ...look,
    show: false,
    // So that the window does not flash before its page is drawn.
    backgroundColor: themeColours().background,
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      spellcheck: false,
      enableDeprecatedPaste: false,
    },
  });
  const state = { asked: false };
  loading.set(window, state);
  window.once("ready-to-show", () => {
    loading.delete(window);
    if (!state.asked) return;
    if (wanted === window || wanted?.isDestroyed() !== false || !wanted.isVisible()) bringToFront(window);
    else window.showInactive();
  });
  const follow = () => window.setBackgroundColor(themeColours().background);
  nativeTheme.on("updated", follow);
  const stop = onSpeech((speech) => sendToPage(window.webContents, "app.speech", speech));
  window.once("closed", () => {
    nativeTheme.off("updated", follow);
    stop();
  });
  window.webContents.on("render-process-gone", (_event, { reason }) => {
    if (reason === "clean-exit" || window.isDestroyed()) return;
    log(`The page of a window ended (${reason}); the window was closed. Start Patchbay again to open it.`);
    window.destroy();
  });
  window.loadURL(spokenUrl(page)).catch((error: Error) => log(`${page} could not be loaded: ${error.message}`));
  return window;
}

/** Brings a window to the front, whatever state it is in; one that still loads comes when its page is drawn. */
export function bringToFront(window: BrowserWindow): void {
  wanted = window;
  const state = loading.get(window);
  if (state !== undefined) {
    state.asked = true;
    return;
  }
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** The address of a page, with the language in which it begins. */
function spokenUrl(page: string): string {
  const url = new URL(appUrl(page));
  const { language, locale } = speechOfApp();
  url.searchParams.set("language", language);
  if (locale !== undefined) url.searchParams.set("locale", locale);
  return url.href;
}
