import path from "node:path";
import { app, Menu, session } from "electron";
import { declareAppScheme } from "./app-scheme.ts";
import { applicationMenu } from "./application-menu.ts";
import { LINK_SCHEME } from "./deep-link.ts";

interface Options {
  /** Data folder. Electron's own files go into a folder below it, so every data folder is a separate app. */
  readonly data: string;
  /** Called when the app is started again, with its arguments. */
  readonly secondStarted: (words: readonly string[]) => void;
  /** Called when the settings are chosen in the application's menu. */
  readonly showSettings: () => void;
}

/**
 * Does what must happen before Electron is ready. Returns false when another instance runs and was notified: quit now.
 */
export function prepareDesktop({ data, secondStarted, showSettings }: Options): boolean {
  app.setName("Patchbay");
  app.setPath("userData", path.join(data, "electron"));
  app.setAppUserModelId("dev.patchbay.app");
  if (!claimSingleInstance(secondStarted)) return false;
  // Only for an installed app: a checkout would take over the links of the user's own Patchbay. On Linux the menu entry
  // declares it.
  if (app.isPackaged && process.platform !== "linux") app.setAsDefaultProtocolClient(LINK_SCHEME);
  declareAppScheme();
  // Chromium fetches the dictionary of each language from a server of its own, also where the checker itself is off.
  void app.whenReady().then(() => {
    session.defaultSession.setSpellCheckerLanguages([]);
    session.defaultSession.setSpellCheckerEnabled(false);
  });
  const menu = applicationMenu(process.platform, showSettings);
  Menu.setApplicationMenu(menu === null ? null : Menu.buildFromTemplate(menu));
  return true;
}

/** Whether this is the first instance for its data folder (`userData` must be set before). A later one quits at once. */
function claimSingleInstance(secondStarted: (words: readonly string[]) => void): boolean {
  const first = app.requestSingleInstanceLock();
  if (first) app.on("second-instance", (_event, words) => secondStarted(words));
  return first;
}
