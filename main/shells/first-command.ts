import { START_UP_MS } from "./run.ts";
import type { Shell } from "./shell.ts";

/** Silence after the first output, after which a shell without marks counts as being at its prompt. */
const QUIET_MS = 150;
/** Limit for a shell that prints nothing. */
const UNMARKED_MS = 3000;

/**
 * Types the first command line of a new shell once the shell accepts input, or when that can no longer be determined.
 */
export async function typeFirstCommand(shell: Shell, command: string): Promise<void> {
  if (shell.integrated) await shell.until(() => shell.tracker.state === "ready", START_UP_MS);
  else await firstSilence(shell);
  await shell.takesPaste(command);
  if (shell.exit === null) shell.typeLine(command);
}

async function firstSilence(shell: Shell): Promise<void> {
  const quiet = () => shell.log.end > 0 && performance.now() - shell.lastOutputAt >= QUIET_MS;
  let stop = () => {};
  const lookAgain = () => {
    stop = shell.after(QUIET_MS / 3, () => {
      lookAgain();
      shell.recheckWaits();
    });
  };
  lookAgain();
  await shell.until(quiet, UNMARKED_MS);
  stop();
}
