import type { ShellCallResult } from "../../core/protocol/shell-host.ts";
import type { CommandMark } from "./marks/command-tracker.ts";
import type { Shell } from "./shell.ts";
import { SpanCollector } from "./span-collector.ts";

const OUTPUT_LIMIT_BYTES = 16 * 1024 * 1024;
/** Exit code of a command whose end mark was lost when an interrupt flushed the terminal. */
const INTERRUPTED = 130;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is a control sequence
const LEAVES_PASTE = /^\x1b\[\?2004l\r?/;
const ENTERS_PASTE = "\u001b[?2004h";
/**
 * fish sets its title and resets colours after the mark and before the command runs; none of it belongs to the command.
 */
const FISH_PREAMBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are control sequences
  /^(?:(?:\x1b\[\?2004l|\x1b\[[0-9;]*m|\x1b\(B)*\x1b\]0;[^\x07]*\x07(?:\x1b\[[0-9;]*m|\x1b\(B)*\r|\x1b\[\?2004l)?/;

/** The marks since a line was typed. Pasted text may hold several commands, so each mark may occur several times. */
export class RunProgress {
  readonly #collector: SpanCollector;
  readonly #shell: Shell;
  readonly #typedAt: number;
  readonly #startedAt = performance.now();
  #spans: { start: number; end: number }[] = [];
  #firstStart: CommandMark | undefined;
  #open: CommandMark | undefined;
  #ended: { readonly exitCode: number | null; readonly cwd: string | null; readonly mark: CommandMark } | undefined;
  #settled = false;

  constructor(shell: Shell, typedAt: number) {
    this.#shell = shell;
    this.#typedAt = typedAt;
    this.#collector = new SpanCollector(shell.log, typedAt, OUTPUT_LIMIT_BYTES);
  }

  /** Whether the command has ended and the shell accepts the next one. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Where the output of the command begins; undefined before it has started. */
  get outputStart(): number | undefined {
    return this.#spans[0]?.start ?? this.#open?.end;
  }

  /** Collects the new output; call it at least once per few megabytes. */
  collect(): void {
    this.#collector.collect();
  }

  note(mark: CommandMark): void {
    this.collect();
    switch (mark.kind) {
      case "command-start":
        this.#closeSpan(mark);
        this.#firstStart ??= mark;
        this.#open = mark;
        return;
      case "command-end":
        this.#end(mark, mark.exitCode, mark.cwd);
        return;
      case "prompt":
        if (this.#open !== undefined) this.#end(mark, mark.exitCode ?? INTERRUPTED, null);
        return;
      case "prompt-end":
        if (this.#open !== undefined) this.#end(mark, mark.exitCode ?? INTERRUPTED, null);
        // Only now is it certain that no further line of the paste follows; the next command may start at once.
        this.settle();
    }
  }

  /** The shell dropped the line before running it, and has drawn its prompt again. */
  dropped(): void {
    this.collect();
    this.#settled = true;
  }

  /** The prompt counts as drawn. */
  settle(): void {
    this.#settled ||= this.#ended !== undefined;
  }

  result(): ShellCallResult<"run"> {
    const { exit, log } = this.#shell;
    if (this.#open !== undefined) this.#spans.push({ start: this.#open.end, end: log.end });
    else if (this.#spans.length === 0) this.#spans.push(this.#rejected());
    const pieces = this.#spans.map(({ start, end }) => this.#output(start, end));
    const bytes = Buffer.concat(pieces.map((piece) => piece.bytes));
    const endedAt = this.#open === undefined ? this.#ended?.mark.at : undefined;
    return {
      ...(exit !== null && !this.#settled
        ? { exitCode: exit.exitCode, signal: exit.signal }
        : { exitCode: this.#exitCode(), signal: null }),
      durationMs: Math.round((endedAt ?? performance.now()) - (this.#firstStart?.at ?? this.#startedAt)),
      cwd: this.#ended?.cwd ?? this.#shell.tracker.cwd ?? null,
      output: bytes.toString("utf8"),
      start: pieces[0]?.start ?? this.#typedAt,
      end: this.#spans.at(-1)?.end ?? log.end,
      missed: pieces.reduce((sum, piece) => sum + piece.missed, 0),
    };
  }

  #end(mark: CommandMark, exitCode: number | null, cwd: string | null): void {
    this.#closeSpan(mark);
    this.#ended = { exitCode, cwd, mark };
  }

  #closeSpan(mark: CommandMark): void {
    if (this.#open !== undefined) this.#spans.push({ start: this.#open.end, end: mark.offset });
    this.#open = undefined;
  }

  /** A line that the shell refused has no start mark; its error message follows the echo. */
  #rejected(): { start: number; end: number } {
    const end = this.#ended?.mark.offset ?? this.#promptStart();
    const typed = this.#collector.slice(this.#typedAt, end);
    const newline = typed.indexOf("\n");
    const after = typed.subarray(newline + 1);
    // readline leaves bracketed paste mode after the echo; that is not part of the error message.
    const leaves = LEAVES_PASTE.exec(after.toString("latin1", 0, 16))?.[0].length ?? 0;
    return { start: newline < 0 ? end : this.#typedAt + newline + 1 + leaves, end };
  }

  /** Start of the prompt that was drawn without an end mark before it. */
  #promptStart(): number {
    const { end } = this.#shell.log;
    const typed = this.#collector.slice(this.#typedAt, end);
    const paste = typed.lastIndexOf(ENTERS_PASTE);
    const begins = paste >= 0 ? paste : typed.lastIndexOf("\n") + 1;
    return this.#typedAt + begins;
  }

  #output(start: number, end: number): { bytes: Buffer; start: number; missed: number } {
    const bytes = this.#collector.slice(start, end);
    const missed = end - start - bytes.length;
    if (this.#shell.kind !== "fish" || missed > 0) return { bytes, start, missed };
    const preamble = FISH_PREAMBLE.exec(bytes.toString("latin1", 0, 8192))?.[0].length ?? 0;
    return { bytes: bytes.subarray(preamble), start: start + preamble, missed };
  }

  #exitCode(): number {
    // The status of a dropped line is unknown, but it did not succeed.
    if (this.#ended === undefined) return 1;
    const { exitCode } = this.#ended;
    // zsh keeps the previous status when it cannot parse a line, and sets 1 only after its hooks.
    if (this.#firstStart === undefined && this.#shell.kind === "zsh" && exitCode !== 130) return 1;
    return exitCode ?? 0;
  }
}
