import { RemoteError } from "../../core/protocol/errors.ts";
import type { Shell } from "./shell.ts";

/** The key on which the integration reports how much the line editor holds: Ctrl-^, which no shell binds. */
const REPORT_KEY = "\u001e";
const INTERRUPT_KEY = "\u0003";
/**
 * A line editor that reads keys answers at once. bash drops the first key after an interrupt that arrives while it
 * draws its prompt (reproduced by tools/bash-lost-key.mjs), and Linux may hold back what a shell prints while an
 * interrupt flushes the terminal's buffers. So the query is repeated; an answer rules out both.
 */
const ANSWER_MS = 400;
const QUESTIONS = 4;
/** An interrupt is lost when it arrives while the shell takes over the terminal for its prompt, so it is repeated. */
const INTERRUPT_MS = 500;
const INTERRUPTS = 4;

/**
 * Ensures that the line at the prompt is empty: refuses if it is not, or clears it as Ctrl-C does. Throws `shell_busy`.
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

/** Interrupts the line at the prompt and waits for the next prompt. Returns false when none appears. */
export async function clearLine(shell: Shell): Promise<boolean> {
  const { cycle } = shell.tracker;
  for (let turn = 0; turn < INTERRUPTS && shell.tracker.cycle === cycle && shell.tracker.takesKeys; turn++) {
    shell.write(Buffer.from(INTERRUPT_KEY));
    await shell.until(() => shell.tracker.cycle > cycle, INTERRUPT_MS);
  }
  return shell.until(() => shell.tracker.cycle > cycle && shell.tracker.state === "ready", INTERRUPT_MS);
}

/**
 * Asks the line editor once. A prompt whose hooks an interrupt has ended shows no marks, and the answer takes their
 * place; where hooks still run, the line editor answers after them.
 */
export function askLineEditor(shell: Shell): void {
  shell.write(Buffer.from(REPORT_KEY));
}

/** Number of characters in the line editor; undefined when it does not answer. */
async function editedLength(shell: Shell): Promise<number | undefined> {
  let length: number | undefined;
  const stop = shell.tracker.watch((news) => {
    if (news.kind === "edited") length = news.length;
  });
  try {
    const settled = () => length !== undefined || shell.tracker.state === "running" || shell.tracker.state === "lost";
    for (let asked = 0; asked < QUESTIONS && !settled(); asked++) {
      askLineEditor(shell);
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
