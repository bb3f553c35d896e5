import { app, dialog } from "electron";
import { words } from "../words.ts";

const END = 0;
const KEEP = 1;

/**
 * Quits. While shells run, asks the user first whether they keep running; `keep` is called if so. A signal from outside
 * quits without a question and ends them.
 */
export async function askToQuit(runningShells: number, keep: () => void): Promise<void> {
  if (runningShells > 0) {
    const { response } = await dialog.showMessageBox({
      type: "question",
      title: words.quit.title,
      message: words.quit.question,
      detail: words.quit.detail(runningShells),
      buttons: [words.quit.end, words.quit.keep, words.quit.cancel],
      defaultId: 2,
      cancelId: 2,
      noLink: true,
    });
    if (response === KEEP) keep();
    else if (response !== END) return;
  }
  app.quit();
}
