import { watchParent } from "./parent-watch.mjs";
import { exitCodeOf } from "./run.mjs";
import { SetUpError } from "./set-up-error.mjs";

/**
 * Runs the body of a script with a log and a signal that Ctrl-C aborts, and sets the exit code from its result. A
 * SetUpError, and an option that there is not, is printed as one sentence; any other error is a defect of the scripts and
 * shows its stack.
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
  const stopWatching = watchParent(() => {
    ending ??= "SIGTERM";
    stop.abort(new SetUpError("npm was ended"));
  });
  try {
    process.exitCode = (await body({ log, signal: stop.signal })) ?? 0;
  } catch (error) {
    process.exitCode = 1;
    if (ending === undefined) log(describe(error));
  } finally {
    stopWatching();
  }
  if (ending !== undefined && process.exitCode !== 0) process.exitCode = exitCodeOf(ending);
}

/** @param {unknown} error */
function describe(error) {
  if (!(error instanceof Error)) return String(error);
  const isWordOfUser = "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS_");
  return error instanceof SetUpError || isWordOfUser ? error.message : (error.stack ?? error.message);
}

/** @param {string} line */
function log(line) {
  process.stderr.write(`${line}\n`);
}
