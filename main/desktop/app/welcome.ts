import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { MessageBoxOptions, MessageBoxReturnValue } from "electron";

export interface WelcomeOptions {
  /** Data folder, which exists. */
  readonly data: string;
  /** Why no tray icon is visible; undefined when one is. */
  readonly trayProblem: () => Promise<string | undefined>;
  readonly platform: NodeJS.Platform;
  /** Electron's message box. */
  readonly ask: (question: MessageBoxOptions) => Promise<MessageBoxReturnValue>;
  readonly startAtLogin: () => void;
}

/** Welcomes the user on the first start with this data folder: what Patchbay is, where it is, and what comes next. */
export async function welcomeOnce({ data, trayProblem, platform, ask, startAtLogin }: WelcomeOptions): Promise<void> {
  const mark = path.join(data, "welcomed");
  if (existsSync(mark)) return;
  // Recorded first, so that a shutdown in between does not show the welcome twice.
  writeFileSync(mark, "");
  const { response, checkboxChecked } = await ask({
    type: "info",
    title: "Welcome to Patchbay",
    message: "Welcome to Patchbay",
    detail: [
      "Patchbay keeps live terminal sessions on this computer: shells in tiles, which you, your scripts, AI agents and people whom you invite can see and use together. Nothing leaves this computer unless you say so.",
      await whereItIs(trayProblem, platform),
      "For the command line, type “patchbay login” in a terminal; inside Patchbay's own shells “service func --help” lists what it can do.",
    ].join("\n\n"),
    buttons: ["Start"],
    // Closing the dialog is not consent.
    cancelId: 1,
    checkboxLabel: "Start Patchbay when I log in",
    checkboxChecked: false,
    noLink: true,
  });
  if (response === 0 && checkboxChecked) startAtLogin();
}

async function whereItIs(trayProblem: WelcomeOptions["trayProblem"], platform: NodeJS.Platform): Promise<string> {
  const place = platform === "darwin" ? "the menu bar" : platform === "win32" ? "the notification area" : "the tray";
  const problem = await trayProblem();
  if (problem !== undefined) return `${problem} Start Patchbay again from the menu to see its panel.`;
  return `Its icon is in ${place}: a click opens the panel, and Patchbay goes on when its windows are closed.`;
}
