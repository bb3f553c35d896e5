import { app, dialog } from "electron";
import { counted } from "./glance.ts";

const QUIT = 0;

/** Quits; where shells run, only after the user has said so. A signal from outside quits without a question. */
export async function askToQuit(runningShells: number): Promise<void> {
  if (runningShells > 0) {
    const { response } = await dialog.showMessageBox({
      type: "question",
      message: "Quit Patchbay?",
      detail: `Quitting ends ${counted(runningShells, "running shell")} and what runs in ${runningShells === 1 ? "it" : "them"}.`,
      buttons: ["Quit", "Cancel"],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    });
    if (response !== QUIT) return;
  }
  app.quit();
}
