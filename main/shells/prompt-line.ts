import { RemoteError } from "../../core/protocol/errors.ts";
import type { Shell } from "./shell.ts";

/** The key on which the integration tells how much the line editor holds: Ctrl-^, which no shell binds. */
const REPORT_KEY = "\u001e";
const INTERRUPT_KEY = "\u0003";
/**
 * An editor that reads keys answers at once. bash drops the first key after an interrupt that came while it drew its
 * prompt (scripts/bash-lost-key.mjs shows it), and Linux may keep back what a shell prints while an interrupt
 * empties the terminal's buffers, until it prints more. So the question is asked again; once it is answered, neither is
 * at risk.
 */
const ANSWER_MS = 400;
const QUESTIONS = 4;
/** An interrupt that comes while the shell takes the terminal over for its prompt is lost, so it is tried again. */
const INTERRUPT_MS = 500;
const INTERRUPTS = 4;

/**
 * Makes sure that nothing stands at the prompt that a command would be added to: refuses, or clears it as Ctrl-C does.
 * Throws `shell_busy`.
 */
export async function requireEmptyLine(shell: Shell, clear: boolean): Promise<void> {
  if (shell.tracker.state !== "continuation") {
    if (shell.lineUntouched) return;
    const length = await editedLength(shell);
    if (length === 0) return shell.noteEmptyLine();
    if (!clear) throw length === undefined ? silent(shell) : notEmpty(shell);
  }
  if (!clear) throw notEmpty(shell);
  if (!(await clearLine(shell)) || (await editedLength(shell)) !== 0) {
    throw new RemoteError(
      "shell_busy",
      `The line at the prompt of shell ${shell.id} could not be cleared with Ctrl-C.`,
    );
  }
  shell.noteEmptyLine();
}

/** Interrupts the line at the prompt, and waits for the next prompt; false when none came. */
export async function clearLine(shell: Shell): Promise<boolean> {
  const { cycle } = shell.tracker;
  for (let turn = 0; turn < INTERRUPTS && shell.tracker.cycle === cycle && shell.tracker.takesKeys; turn++) {
    shell.write(Buffer.from(INTERRUPT_KEY));
    await shell.until(() => shell.tracker.cycle > cycle, INTERRUPT_MS);
  }
  return shell.until(() => shell.tracker.cycle > cycle && shell.tracker.state === "ready", INTERRUPT_MS);
}

/** How many characters the line editor holds; undefined when it does not tell. */
async function editedLength(shell: Shell): Promise<number | undefined> {
  let length: number | undefined;
  const stop = shell.tracker.watch((news) => {
    if (news.kind === "edited") length = news.length;
  });
  try {
    const settled = () => length !== undefined || shell.tracker.state === "running" || shell.tracker.state === "lost";
    for (let asked = 0; asked < QUESTIONS && !settled(); asked++) {
      shell.write(Buffer.from(REPORT_KEY));
      await shell.until(settled, ANSWER_MS);
    }
    return length;
  } finally {
    stop();
  }
}

function silent(shell: Shell): RemoteError {
  const what = shell.tracker.takesKeys
    ? "does not tell whether a line stands at its prompt already; have it cleared (clear), or use another shell"
    : "was given another command just now; wait for its end, or use another shell";
  return new RemoteError("shell_busy", `Shell ${shell.id} ${what}.`);
}

function notEmpty(shell: Shell): RemoteError {
  const what =
    shell.tracker.state === "continuation"
      ? "waits for the rest of a command that was begun"
      : "has a line at its prompt that is not entered yet";
  return new RemoteError(
    "shell_busy",
    `Shell ${shell.id} ${what}; finish it, have it cleared (clear), or use another shell.`,
  );
}
