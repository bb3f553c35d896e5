import { exitCodeOf } from "./run.mjs";
import { SetUpError } from "./set-up-error.mjs";

const PARENT_POLL_MS = 250;

/**
 * Runs the body of a script: gives it a log and a signal that the user's Ctrl-C aborts, and turns its end into the
 * exit code. A SetUpError is told in one sentence; anything else is a fault of the scripts and shows its stack.
 * @param {(context: import("./run.mjs").Context) => Promise<number | void>} body
 */
export async function mainProgram(body) {
  const stop = new AbortController();
  /** @type {NodeJS.Signals | undefined} */
  let ending;
  for (const name of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(name, () => {
      ending ??= name;
      stop.abort(new SetUpError(`stopped by ${name}`));
    });
  }
  const watch = watchNpm(() => {
    ending ??= "SIGTERM";
    stop.abort(new SetUpError("npm was ended"));
  });
  try {
    process.exitCode = (await body({ log, signal: stop.signal })) ?? 0;
  } catch (error) {
    process.exitCode = 1;
    if (ending === undefined)
      log(
        error instanceof SetUpError
          ? error.message
          : error instanceof Error
            ? (error.stack ?? error.message)
            : String(error),
      );
  }
  if (ending !== undefined && process.exitCode !== 0) process.exitCode = exitCodeOf(ending);
}

/**
 * npm hands a signal on to the shell that it starts scripts with, which ends without handing it on to us: seen from here
 * the parent is gone.
 * @param {() => void} onGone
 */
function watchNpm(onGone) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined || process.platform === "win32") return undefined;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, PARENT_POLL_MS);
  return timer.unref();
}

/** @param {string} line */
function log(line) {
  process.stderr.write(`${line}\n`);
}
