import { basename } from "node:path";
import { foregroundJob, type ProcessImage, readProcessImage } from "../system/processes/terminal-session.ts";
import type { Shell } from "./shell.ts";

/** Programs that read command lines when started without arguments. */
const SHELLS = /^(?:bash|zsh|fish|sh|dash|ash|ksh|mksh|tcsh|csh|nu|xonsh|elvish|pwsh)[-.\d]*$/;
/** Options of these shells that take a value. */
const WITH_VALUE = /^(?:[-+][oO]|--rcfile|--init-file|--init-command|-C|--features)$/;

/**
 * Describes the shell that reads input in place of the one that was started; undefined when there is none, or when that
 * cannot be determined. A subshell of the shell itself does not count.
 */
export async function describeForegroundShell(shell: Shell): Promise<string | undefined> {
  const job = await foregroundJob(shell.pid);
  const facts = job && (await readProcessImage(job.pid));
  if (facts === undefined || !facts.readsTerminal || !isInteractive(facts.command)) return undefined;
  const own = await shell.processImage;
  if (!job?.isShell) return isFork(facts, own) ? undefined : `${programOf(facts)} was started and reads what is typed`;
  const replaced = own === undefined ? !hasArguments(facts, shell.args) : !isFork(facts, own);
  return replaced ? `${programOf(facts)} took the place of ${basename(shell.program)} (exec)` : undefined;
}

/** How often the foreground is checked. */
const POLL_MS = 200;
/** A shell that was silent for this long has drawn its prompt. */
const QUIET_MS = 300;

/** Polls, until stopped, whether another shell reads the input. */
export class ForegroundPoll {
  readonly #shell: Shell;
  readonly #condition: () => boolean;
  #stopTimer = () => {};
  #stopped = false;
  /** Description of the other shell, once one was found. */
  result: string | undefined;

  /** Polls only while the condition holds. */
  constructor(shell: Shell, condition: () => boolean) {
    this.#shell = shell;
    this.#condition = condition;
    this.#schedule();
  }

  stop(): void {
    this.#stopped = true;
    this.#stopTimer();
  }

  #schedule(): void {
    if (!this.#stopped) this.#stopTimer = this.#shell.after(POLL_MS, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    const quiet = performance.now() - this.#shell.lastOutputAt >= QUIET_MS;
    const found = quiet && this.#condition() ? await describeForegroundShell(this.#shell) : undefined;
    if (found !== undefined && this.#condition()) {
      this.result = found;
      this.#shell.recheckWaits();
    }
    this.#schedule();
  }
}

/** Whether a process is the shell itself or a subshell of it. */
function isFork(facts: ProcessImage, own: ProcessImage | undefined): boolean {
  return (
    own !== undefined &&
    facts.argumentsAddress === own.argumentsAddress &&
    facts.command.join("\0") === own.command.join("\0")
  );
}

function hasArguments({ command }: ProcessImage, args: readonly string[]): boolean {
  return command.slice(1).join("\0") === args.join("\0");
}

/** Whether the command starts a shell that reads commands from its terminal: no script, no `-c`. */
function isInteractive(command: readonly string[]): boolean {
  if (!SHELLS.test(programOf({ command }))) return false;
  for (let at = 1; at < command.length; at++) {
    const word = command[at] ?? "";
    if (WITH_VALUE.test(word)) at++;
    else if (word === "--command" || /^-[a-zA-Z]*c/.test(word) || !/^[-+]./.test(word)) return false;
  }
  return true;
}

/** A login shell's name begins with a hyphen. */
function programOf({ command }: Pick<ProcessImage, "command">): string {
  return basename(command[0] ?? "").replace(/^-/, "");
}

/** Name of the foreground program; undefined when it is the shell itself or cannot be determined. */
export async function foregroundName(shell: Shell): Promise<string | undefined> {
  const job = await foregroundJob(shell.pid);
  return job === undefined || job.isShell ? undefined : job.name;
}
