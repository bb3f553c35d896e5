import { app, dialog } from "electron";
import { counted } from "../sessions/session-summary.ts";

const END = 0;
const KEEP = 1;

/**
 * Quits. While shells run, asks the user first whether they keep running; `keep` is called if so. A signal from outside
 * quits without a question and ends them.
 */
export async function askToQuit(runningShells: number, keep: () => void): Promise<void> {
  if (runningShells > 0) {
    const them = runningShells === 1 ? "it" : "them";
    const { response } = await dialog.showMessageBox({
      type: "question",
      message: "Quit Patchbay?",
      detail: `There ${runningShells === 1 ? "is" : "are"} ${counted(runningShells, "running shell")}. Quitting can end ${them}, or leave ${them} running: then ${runningShells === 1 ? "it is" : "they are"} there again at the next start.`,
      buttons: ["Quit and End Shells", "Quit and Keep Shells", "Cancel"],
      defaultId: 2,
      cancelId: 2,
      noLink: true,
    });
    if (response === KEEP) keep();
    else if (response !== END) return;
  }
  app.quit();
}
