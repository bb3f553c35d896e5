import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { app } from "electron";
import { COMMAND_LINE, SHELL_HOST } from "./program-words.ts";

/**
 * The one program of a package: the app and, without a face, the command line and the process that holds the shells.
 * Evaluated before Electron is ready, because some things of the app can be set only then.
 */
async function program(words: readonly string[]): Promise<void> {
  const commandLine = words.indexOf(COMMAND_LINE);
  if (commandLine !== -1) await runHeadlessMode("cli/main.js", userArguments(words.slice(commandLine + 1)));
  else if (words.includes(SHELL_HOST)) await runHeadlessMode("shell-host/shell-host.js", words);
  else await import("./desktop.ts");
}

/** Runs a module that is a whole program under plain Node; the process ends with it, by its exit code. */
async function runHeadlessMode(module: string, words: readonly string[]): Promise<void> {
  app.dock?.hide();
  const file = join(app.getAppPath(), "dist", module);
  process.argv = [process.execPath, file, ...words];
  app.whenReady().then(keepSignals);
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  }
  app.exit(Number(process.exitCode ?? 0));
}

/** After `--`, which keeps Chromium from taking the user's words for switches of its own. */
function userArguments(rest: readonly string[]): readonly string[] {
  return rest[0] === "--" ? rest.slice(1) : rest;
}

/**
 * Electron takes these signals for itself while it gets ready, and would end without asking. Installed anew, what the
 * program listens to counts again; a program that does not listen ends as it does under Node.
 */
function keepSignals(): void {
  for (const [name, number] of [
    ["SIGHUP", 1],
    ["SIGINT", 2],
    ["SIGTERM", 15],
  ] as const) {
    const listeners = process.rawListeners(name) as NodeJS.SignalsListener[];
    process.removeAllListeners(name);
    for (const listener of listeners) process.on(name, listener);
    process.on(name, () => {
      if (process.listenerCount(name) === 1 && listeners.length === 0) app.exit(128 + number);
    });
  }
}

await program(process.argv.slice(1));
