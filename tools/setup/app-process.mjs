import { spawn } from "node:child_process";
import { checkout } from "./checkout.mjs";
import { exitCodeOf } from "./run.mjs";

const KILL_AFTER_MS = 10_000;

/**
 * Runs the app to its end and returns its exit code. It has a process group of its own, so that a Ctrl-C, which a
 * terminal and npm both deliver, reaches it exactly once: when `signal` aborts it is asked to quit, and 10 s later killed
 * with everything it started.
 * @param {string} executable
 * @param {readonly string[]} args
 * @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @returns {Promise<number>}
 */
export function runApp(executable, args, { env, signal }) {
  signal.throwIfAborted();
  // Windows gives a detached program a console of its own, and has no signals to repeat.
  const detached = process.platform !== "win32";
  return new Promise((resolve, reject) => {
    const app = spawn(executable, args, { cwd: checkout, env, stdio: "inherit", detached });
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const quit = () => {
      app.kill("SIGTERM");
      timer = setTimeout(() => killGroup(app, detached), KILL_AFTER_MS);
    };
    signal.addEventListener("abort", quit);
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", quit);
    };
    app.once("error", (error) => {
      settle();
      reject(error);
    });
    app.once("exit", (code, ending) => {
      settle();
      resolve(code ?? exitCodeOf(ending));
    });
  });
}

/** @param {import("node:child_process").ChildProcess} app @param {boolean} isGroup */
function killGroup(app, isGroup) {
  if (!isGroup || app.pid === undefined) app.kill("SIGKILL");
  else process.kill(-app.pid, "SIGKILL");
}
