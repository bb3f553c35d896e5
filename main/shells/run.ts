import { RemoteError } from "../../core/protocol/errors.ts";
import { formatSeconds } from "../../core/protocol/format-seconds.ts";
import type { Lifetime } from "../../core/protocol/lifetime.ts";
import {
  type CallLimit,
  QUOTED_OUTPUT,
  type ShellCallParams,
  type ShellCallResult,
} from "../../core/protocol/shell-host.ts";
import { describeForegroundShell, ForegroundPoll, foregroundName } from "./foreground-poll.ts";
import type { CommandMark, CommandNote } from "./marks/command-tracker.ts";
import { askLineEditor, clearLine, requireEmptyLine } from "./prompt-line.ts";
import { RunProgress } from "./run-progress.ts";
import type { Shell } from "./shell.ts";
import { refuseKeys } from "./type-line.ts";

export type RunOptions = Pick<ShellCallParams<"run">, "timeoutMs" | "clear"> & Pick<CallLimit, "lifetime">;
type RunResult = ShellCallResult<"run">;

/** A prompt whose end mark is missing, because something replaced the prompt, counts as drawn after this time. */
const PROMPT_MS = 1000;
/** The end mark follows the last output within this time, even on a busy machine. */
const MARK_MS = 250;
/** Time for a new shell to read its start-up files before it counts as one without marks. */
export const START_UP_MS = 10_000;

/** Waits until the shell accepts a command line. Throws when that cannot be determined or will not happen. */
export async function waitUntilReady(shell: Shell, timeoutMs: number): Promise<void> {
  await requireFreeShell(shell);
  if (shell.tracker.state === "unknown") await waitForFirstMarks(shell, timeoutMs);
  const hasPrompt = () => shell.tracker.state !== "ended";
  if (!(await shell.until(hasPrompt, Math.min(PROMPT_MS, timeoutMs))) && timeoutMs > PROMPT_MS) {
    askLineEditor(shell);
    await shell.until(hasPrompt, timeoutMs - PROMPT_MS);
  }
  await shell.until(() => shell.tracker.atPrompt, Math.min(PROMPT_MS, timeoutMs));
  await requireFreeShell(shell);
}

async function waitForFirstMarks(shell: Shell, timeoutMs: number): Promise<void> {
  const left = START_UP_MS - (performance.now() - shell.startedAt);
  if (!shell.integrated || left <= 0) throw noIntegrationError(shell);
  const looking = new ForegroundPoll(shell, () => shell.tracker.state === "unknown");
  try {
    await shell.until(
      () => looking.result !== undefined || shell.tracker.state !== "unknown",
      Math.min(left, timeoutMs),
    );
  } finally {
    looking.stop();
  }
  if (looking.result !== undefined) throw otherShellError(shell, looking.result);
  if (shell.tracker.state === "unknown" && shell.exit === null) throw noIntegrationError(shell);
}

async function requireFreeShell(shell: Shell): Promise<void> {
  if (shell.exit !== null) throw exitedError(shell);
  if (shell.tracker.state === "lost") throw marksLostError(shell);
  if (shell.tracker.state !== "running") return;
  const other = await describeForegroundShell(shell);
  if (other !== undefined) throw otherShellError(shell, other);
  const name = await foregroundName(shell);
  // With the shell itself in the foreground the command may have ended and its mark may be about to arrive.
  const ended = () => shell.tracker.state !== "running";
  if (name === undefined) await shell.until(ended, MARK_MS);
  if (ended()) return requireFreeShell(shell);
  const what = name === undefined ? "A command" : `The command \`${name}\``;
  throw new RemoteError(
    "shell_busy",
    `${what} is running in shell ${shell.id}; wait for its end, or use another shell.`,
  );
}

/** Types a command line and waits until the shell reports its end. The shell must be ready. */
export async function runAndWait(
  shell: Shell,
  line: string,
  { timeoutMs, clear = false, lifetime }: RunOptions,
): Promise<RunResult> {
  if (line.trim() === "")
    throw new RemoteError("invalid_params", "params.command: expected a command, got an empty line.");
  refuseKeys(line);
  await requireEmptyLine(shell, clear);
  if (shell.kind !== "fish" && !(await shell.takesPaste(line)) && /[\r\n]/.test(line)) {
    throw new RemoteError(
      "invalid_request",
      "This shell takes no bracketed paste, so the end of several lines cannot be told; join them with `;`.",
    );
  }
  if (lifetime?.ended !== undefined) throw lifetime.ended;
  return new Run(shell).wait(line, timeoutMs, lifetime);
}

/** A command line in progress. */
class Run {
  readonly #shell: Shell;
  readonly #typedAt: number;
  readonly #progress: RunProgress;
  #stopped: CommandNote["kind"] | undefined;

  constructor(shell: Shell) {
    this.#shell = shell;
    this.#typedAt = shell.log.end;
    this.#progress = new RunProgress(shell, this.#typedAt);
  }

  async wait(line: string, timeoutMs: number, lifetime?: Lifetime): Promise<RunResult> {
    const { tracker } = this.#shell;
    const looking = new ForegroundPoll(this.#shell, () => tracker.state === "running");
    const stops = [
      tracker.watch((news) => this.#note(news)),
      this.#shell.onFlush(() => this.#progress.collect()),
      () => looking.stop(),
    ];
    try {
      this.#shell.enterLine(line);
      const settled = () => this.#progress.settled || this.#stopped !== undefined || looking.result !== undefined;
      const done = await this.#shell.until(settled, timeoutMs, lifetime);
      this.#progress.collect();
      if (this.#progress.settled || (this.#shell.exit !== null && !done)) return this.#progress.result();
      if (looking.result !== undefined) throw otherShellError(this.#shell, looking.result);
      if (this.#stopped !== undefined) throw await this.#failure(this.#stopped);
      throw await timeoutError(this.#shell, this.#progress, timeoutMs);
    } finally {
      for (const stop of stops) stop();
    }
  }

  #note(news: CommandMark | CommandNote): void {
    if (isMark(news)) {
      this.#progress.note(news);
      if (news.kind === "prompt") this.#shell.after(PROMPT_MS, () => this.#settleIf(news));
    } else if (news.kind === "not-started") this.#progress.dropped();
    else if (news.kind !== "edited") this.#stopped = news.kind;
  }

  /** Settles a prompt whose end mark never arrives because the prompt was replaced. */
  #settleIf(prompt: CommandMark): void {
    if (this.#shell.tracker.marks.at(-1) === prompt) this.#progress.settle();
    this.#shell.recheckWaits();
  }

  async #failure(kind: CommandNote["kind"]): Promise<RemoteError> {
    if (kind === "lost") return marksLostError(this.#shell);
    if (this.#shell.tracker.state === "continuation") await clearLine(this.#shell);
    return new RemoteError(
      "invalid_request",
      "The shell waits for the rest of the command: a quote, bracket or block in it is not closed. It was cancelled.",
    );
  }
}

function isMark(news: CommandMark | CommandNote): news is CommandMark {
  return "at" in news;
}

function otherShellError(shell: Shell, told: string): RemoteError {
  return new RemoteError(
    "no_shell_integration",
    `In shell ${shell.id} ${told}. It reports no command marks, so the end of a command cannot be known; leave it, run without wait, or use another shell.`,
  );
}

function marksLostError(shell: Shell): RemoteError {
  return new RemoteError(
    "no_shell_integration",
    `Shell ${shell.id} draws prompts without the marks that tell the end of a command: something took their hooks out (PROMPT_COMMAND in bash). Start another shell.`,
  );
}

function noIntegrationError(shell: Shell): RemoteError {
  const why = shell.direct
    ? `was created to run ${shell.program} as it is (exec), so it reports no command marks; a shell that is created without exec does`
    : shell.integrated
      ? `has reported no command marks since its start ${Math.round((performance.now() - shell.startedAt) / 1000)} s ago; its start-up files may wait for something, or have made its prompt command read-only`
      : `runs ${shell.program}, which reports no command marks; bash, zsh and fish do`;
  return new RemoteError(
    "no_shell_integration",
    `Shell ${shell.id} ${why}. The end of a command cannot be known; run it without wait.`,
  );
}

/** The error for calls that need a running shell. */
export function exitedError(shell: Shell): RemoteError {
  return new RemoteError("shell_exited", `Shell ${shell.id} has ended and takes no more input; create another one.`);
}

async function timeoutError(shell: Shell, progress: RunProgress, timeoutMs: number): Promise<RemoteError> {
  const name = shell.tracker.state === "running" ? await foregroundName(shell) : undefined;
  const what = name === undefined ? "it goes on" : `it goes on, with \`${name}\` in the foreground`;
  const told = describeProgress(shell, progress.outputStart ?? shell.log.end);
  return new RemoteError(
    "wait_timeout",
    `The command did not end within ${formatSeconds(timeoutMs)}; ${what}. ${told}`,
  );
}

/** Describes for a timeout error how much was printed since an offset, and the last of it. */
export function describeProgress(shell: Shell, since: number): string {
  const tail = shell.lastText(80, since);
  return `It printed ${shell.log.end - since} bytes, up to offset ${shell.log.end}${tail === "" ? "." : `${QUOTED_OUTPUT}${tail}`}`;
}
