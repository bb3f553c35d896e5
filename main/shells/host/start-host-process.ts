import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { homedir } from "node:os";

/** The program that becomes the shell host when the host's arguments are appended. */
export interface HostCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What the host prints when relays can connect. */
export const READY = "ready\n";
const START_MS = 20_000;

/**
 * Starts the shell host as a detached process with a session and process group of its own; it inherits only the
 * environment. Resolves when relays can connect; rejects when it has not started within 20 s.
 */
export function startHostProcess(command: HostCommand, args: readonly string[], errorFile: string): Promise<void> {
  const errors = openSync(errorFile, "w", 0o600);
  const child = spawn(command.file, [...command.args, ...args], {
    cwd: homedir(),
    env: { ...process.env, ...command.env },
    detached: true,
    windowsHide: true,
    stdio: ["ignore", "pipe", errors],
  });
  closeSync(errors);
  const { stdout } = child;
  return new Promise<void>((resolve, reject) => {
    const settle = (failure?: string) => {
      clearTimeout(timer);
      child.removeAllListeners();
      stdout?.removeAllListeners();
      stdout?.destroy();
      child.unref();
      if (failure === undefined) resolve();
      else reject(new Error(`The shell host did not start: ${failure} (${errorFile}).`));
    };
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      settle(`no answer within ${START_MS / 1000} s`);
    }, START_MS);
    let said = "";
    stdout?.on("data", (piece: Buffer) => {
      said += String(piece);
      if (said.includes(READY)) settle();
    });
    child.once("error", (error) => settle(error.message));
    child.once("exit", (code, signal) => settle(`it ended with ${code ?? signal}`));
  });
}
