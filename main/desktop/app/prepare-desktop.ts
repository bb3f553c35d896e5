import path from "node:path";
import { app, Menu } from "electron";
import { declareAppScheme } from "./app-scheme.ts";
import { LINK_SCHEME } from "./deep-link.ts";

interface Options {
  /** Data folder; what Electron itself stores goes into a folder below it, so every data folder is an app of its own. */
  readonly data: string;
  /** Somebody started the app again, with these words. */
  readonly secondStarted: (words: readonly string[]) => void;
}

/** Everything that must be done before Electron is ready. False: another instance runs and was told; quit now. */
export function prepareDesktop({ data, secondStarted }: Options): boolean {
  app.setName("Patchbay");
  app.setPath("userData", path.join(data, "electron"));
  app.setAppUserModelId("dev.patchbay.app");
  if (!claimSingleInstance(secondStarted)) return false;
  // Only an installed app: a checkout would take the links of the user's own Patchbay. On Linux its menu entry says it.
  if (app.isPackaged && process.platform !== "linux") app.setAsDefaultProtocolClient(LINK_SCHEME);
  declareAppScheme();
  // Elsewhere than on macOS a menu's shortcuts (Ctrl+W, Ctrl+R) would be taken away from the terminals.
  if (process.platform !== "darwin") Menu.setApplicationMenu(null);
  return true;
}

/** Whether this is the first instance for its data folder (`userData` must be set before). A later one quits at once. */
function claimSingleInstance(secondStarted: (words: readonly string[]) => void): boolean {
  const first = app.requestSingleInstanceLock();
  if (first) app.on("second-instance", (_event, words) => secondStarted(words));
  return first;
}
