import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { app } from "electron";
import { COMMAND_LINE, SHELL_HOST } from "./program-words.ts";

/**
 * The program of a package: the app, or without a user interface the command line and the shell host. Evaluated before
 * Electron is ready, because some settings of the app are possible only then.
 */
async function program(words: readonly string[]): Promise<void> {
  const commandLine = words.indexOf(COMMAND_LINE);
  if (commandLine !== -1) await runHeadlessMode("cli/main.js", userArguments(words.slice(commandLine + 1)));
  else if (words.includes(SHELL_HOST)) await runHeadlessMode("shell-host/shell-host.js", words);
  else await importBuilt("main/desktop.cjs");
}

/** Runs a module that is a complete program under plain Node, until it has finished; the process ends with its exit code. */
async function runHeadlessMode(module: string, words: readonly string[]): Promise<void> {
  app.dock?.hide();
  process.argv = [process.execPath, builtFile(module), ...words];
  app.whenReady().then(keepSignals);
  try {
    const { finished }: { readonly finished?: Promise<void> } = await importBuilt(module);
    await finished;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  }
  app.exit(Number(process.exitCode ?? 0));
}

function importBuilt(module: string) {
  return import(pathToFileURL(builtFile(module)).href);
}

function builtFile(module: string): string {
  return join(app.getAppPath(), "dist", module);
}

/** The arguments after `--`, which keeps Chromium from parsing the user's arguments as its own switches. */
function userArguments(rest: readonly string[]): readonly string[] {
  return rest[0] === "--" ? rest.slice(1) : rest;
}

/**
 * Restores the program's signal handlers, which Electron replaces while it gets ready, and would then quit without
 * asking. A program without handlers ends as it does under Node.
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
