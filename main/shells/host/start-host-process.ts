import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { homedir } from "node:os";

/** The program that becomes the host process when it gets the host's own arguments behind these. */
export interface HostCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** On top of the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What the host process writes when relays can find it. */
export const READY = "ready\n";
const START_MS = 20_000;

/**
 * Starts the host process, which from then on belongs to nobody: a session and process group of its own, nothing
 * inherited but the environment. Resolves when it can be found; rejects when it does not come up in 20 s.
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
      else reject(new Error(`The process that holds the shells did not start: ${failure} (${errorFile}).`));
    };
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      settle(`nothing heard in ${START_MS / 1000} s`);
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
