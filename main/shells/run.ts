import { RemoteError } from "../../core/protocol/errors.ts";
import type { CommandMark } from "./command-tracker.ts";
import type { Shell } from "./shell.ts";
import { SpanCollector } from "./span-collector.ts";

export interface RunResult {
  readonly exitCode: number;
  readonly durationMs: number;
  readonly cwd: string | null;
  /** What the command printed, escape sequences included, its echo and the marks left out. */
  readonly output: string;
  /** Byte offsets of that output in the shell's whole output. */
  readonly start: number;
  readonly end: number;
  /** Bytes missing at the beginning of `output`, which keeps the last 16 MiB. */
  readonly missed: number;
}

const OUTPUT_LIMIT_BYTES = 16 * 1024 * 1024;
/** A prompt whose end does not show, because something replaced it, counts as drawn after this time. */
const PROMPT_MS = 1000;
/** How long a new shell may read its start-up files before it counts as one without marks. */
export const START_UP_MS = 10_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is a control sequence
const LEAVES_PASTE = /^\x1b\[\?2004l\r?/;
/** fish tells its title and resets colours after the mark and before the command runs; none of it is the command's. */
const FISH_PREAMBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are control sequences
  /^(?:(?:\x1b\[\?2004l|\x1b\[[0-9;]*m|\x1b\(B)*\x1b\]0;[^\x07]*\x07(?:\x1b\[[0-9;]*m|\x1b\(B)*\r|\x1b\[\?2004l)?/;

/** Waits until the shell takes a command line. Throws where that cannot be known or will not be. */
export async function whenReady(shell: Shell, timeoutMs: number): Promise<void> {
  refuseUnlessFree(shell);
  if (shell.tracker.state === "unknown") {
    const left = START_UP_MS - (performance.now() - shell.startedAt);
    if (!shell.integrated || left <= 0) throw noIntegration(shell);
    const marked = await shell.until(() => shell.tracker.state !== "unknown", Math.min(left, timeoutMs));
    if (!marked && shell.exit === null) throw noIntegration(shell);
  }
  await shell.until(() => shell.tracker.state !== "ended", timeoutMs);
  await shell.until(() => shell.tracker.state === "ready", Math.min(PROMPT_MS, timeoutMs));
  refuseUnlessFree(shell);
}

function refuseUnlessFree(shell: Shell): void {
  if (shell.exit !== null) throw exited(shell);
  if (shell.tracker.state !== "running") return;
  throw new RemoteError(
    "shell_busy",
    `A command is running in shell ${shell.id}; wait for its end, or use another shell.`,
  );
}

/** Types a command line and waits until the shell says that it has ended. The shell must be ready. */
export async function runAndWait(shell: Shell, line: string, timeoutMs: number): Promise<RunResult> {
  if (line.trim() === "") throw new RemoteError("invalid_params", "command: expected a command, got an empty line");
  if (!(await shell.takesPaste(line)) && /[\r\n]/.test(line)) {
    throw new RemoteError(
      "invalid_request",
      "This shell takes no bracketed paste, so the end of several lines cannot be told; join them with `;`.",
    );
  }
  const typedAt = shell.log.end;
  const course = new Course(shell, typedAt);
  const stops = [shell.tracker.watch((mark) => course.note(mark)), shell.onFlush(() => course.collector.collect())];
  try {
    shell.typeLine(line);
    const settled = await shell.until(() => course.settled, timeoutMs);
    course.collector.collect();
    if (!settled && shell.exit === null) throw timedOut(shell, typedAt, timeoutMs);
    return course.result();
  } finally {
    for (const stop of stops) stop();
  }
}

/** What the marks told since the line was typed. A pasted text may be several commands, so there may be several of each. */
class Course {
  readonly collector: SpanCollector;
  readonly #shell: Shell;
  readonly #typedAt: number;
  readonly #startedAt = performance.now();
  #spans: { start: number; end: number }[] = [];
  #firstStart: CommandMark | undefined;
  #open: CommandMark | undefined;
  #last: Extract<CommandMark, { kind: "command-end" }> | undefined;
  settled = false;

  constructor(shell: Shell, typedAt: number) {
    this.#shell = shell;
    this.#typedAt = typedAt;
    this.collector = new SpanCollector(shell.log, typedAt, OUTPUT_LIMIT_BYTES);
  }

  note(mark: CommandMark): void {
    this.collector.collect();
    switch (mark.kind) {
      case "command-start":
        // bash tells the start of each line of a paste, but only the end of the last.
        this.#closeSpan(mark);
        this.#firstStart ??= mark;
        this.#open = mark;
        return;
      case "command-end":
        this.#closeSpan(mark);
        this.#last = mark;
        return;
      case "prompt":
        if (this.#last !== undefined) this.#shell.after(PROMPT_MS, () => this.#settleIf(mark));
        return;
      case "prompt-end":
        // Only now it is sure that no further line of the paste follows, and the next command may come at once.
        this.settled = this.#last !== undefined;
    }
  }

  #closeSpan(mark: CommandMark): void {
    if (this.#open !== undefined) this.#spans.push({ start: this.#open.end, end: mark.offset });
    this.#open = undefined;
  }

  result(): RunResult {
    const { exit, log } = this.#shell;
    if (this.#open !== undefined) this.#spans.push({ start: this.#open.end, end: log.end });
    else if (this.#spans.length === 0) this.#spans.push(this.#rejected());
    const pieces = this.#spans.map(({ start, end }) => this.#output(start, end));
    const bytes = Buffer.concat(pieces.map((piece) => piece.bytes));
    const endedAt = this.#open === undefined ? this.#last?.at : undefined;
    return {
      exitCode: this.#open === undefined && this.#last !== undefined ? this.#exitCode(this.#last) : exitStatus(exit),
      durationMs: Math.round((endedAt ?? performance.now()) - (this.#firstStart?.at ?? this.#startedAt)),
      cwd: this.#last?.cwd ?? this.#shell.tracker.cwd ?? null,
      output: bytes.toString("utf8"),
      start: pieces[0]?.start ?? this.#typedAt,
      end: this.#spans.at(-1)?.end ?? log.end,
      missed: pieces.reduce((sum, piece) => sum + piece.missed, 0),
    };
  }

  #settleIf(prompt: CommandMark): void {
    if (this.#shell.tracker.marks.at(-1) === prompt) this.settled = true;
    this.#shell.poke();
  }

  /** A line that the shell refused to execute has no start mark; what follows its echo is the complaint. */
  #rejected(): { start: number; end: number } {
    const end = this.#last?.offset ?? this.#shell.log.end;
    const typed = this.collector.slice(this.#typedAt, end);
    const newline = typed.indexOf("\n");
    const after = typed.subarray(newline + 1);
    // readline leaves bracketed paste mode after the echo, and that too is not the complaint.
    const leaves = LEAVES_PASTE.exec(after.toString("latin1", 0, 16))?.[0].length ?? 0;
    return { start: newline < 0 ? end : this.#typedAt + newline + 1 + leaves, end };
  }

  #output(start: number, end: number): { bytes: Buffer; start: number; missed: number } {
    const bytes = this.collector.slice(start, end);
    const missed = end - start - bytes.length;
    if (this.#shell.kind !== "fish" || missed > 0) return { bytes, start, missed };
    const preamble = FISH_PREAMBLE.exec(bytes.toString("latin1", 0, 8192))?.[0].length ?? 0;
    return { bytes: bytes.subarray(preamble), start: start + preamble, missed };
  }

  #exitCode({ exitCode }: { exitCode: number | null }): number {
    // zsh keeps the status of the command before when it cannot parse a line, and sets 1 only after its hooks.
    if (this.#firstStart === undefined && this.#shell.kind === "zsh" && exitCode !== 130) return 1;
    return exitCode ?? 0;
  }
}

function exitStatus(exit: Shell["exit"]): number {
  return exit === null ? 0 : exit.exitCode;
}

function noIntegration(shell: Shell): RemoteError {
  return new RemoteError(
    "no_shell_integration",
    `Shell ${shell.id} reports no command marks (OSC 133), so the end of a command cannot be known; run it without wait, or use bash, zsh or fish.`,
  );
}

/** For whatever needs a living shell. */
export function exited(shell: Shell): RemoteError {
  return new RemoteError("shell_exited", `Shell ${shell.id} has ended and takes no more input; create another one.`);
}

function timedOut(shell: Shell, typedAt: number, timeoutMs: number): RemoteError {
  return new RemoteError(
    "wait_timeout",
    `The command did not end within ${timeoutMs / 1000} s; it goes on. ${howFar(shell, typedAt)}`,
  );
}

/** For timeouts: how much was printed and what last. */
export function howFar(shell: Shell, since: number): string {
  const tail = shell.lastText(80);
  return `It printed ${shell.log.end - since} bytes, up to offset ${shell.log.end}${tail === "" ? "." : `, at last: ${tail}`}`;
}
