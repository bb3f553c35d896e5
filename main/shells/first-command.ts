import { START_UP_MS } from "./run.ts";
import type { Shell } from "./shell.ts";

/** A shell without marks has drawn its prompt when its first output is followed by so much silence. */
const QUIET_MS = 150;
/** And when it prints nothing at all, it is not waited for longer than this. */
const UNMARKED_MS = 3000;

/** Types a new shell's first command line once the shell takes input, or when that can no longer be told. */
export async function deliverFirstCommand(shell: Shell, command: string): Promise<void> {
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
      shell.poke();
    });
  };
  lookAgain();
  await shell.until(quiet, UNMARKED_MS);
  stop();
}
