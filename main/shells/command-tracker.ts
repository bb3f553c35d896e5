import type { TerminalSignal } from "./terminal-signal.ts";

/**
 * Where the shell is: no mark yet; between the end of a command and the prompt; drawing the prompt; waiting for
 * input; executing.
 */
export type CommandState = "unknown" | "ended" | "prompt" | "ready" | "running";

export type CommandMark = Extract<
  TerminalSignal,
  { kind: "prompt" | "prompt-end" | "command-start" | "command-end" }
> & { readonly at: number };

const MAX_MARKS = 512;

/**
 * Follows the marks of shell integration. Output can print marks too, so A, C and D count only with the nonce of this
 * shell, and B, which stands in the prompt without it, only after such an A.
 */
export class CommandTracker {
  readonly #nonce: string;
  readonly #watchers = new Set<(mark: CommandMark) => void>();
  #state: CommandState = "unknown";
  #cwd: string | undefined;
  #marks: CommandMark[] = [];

  constructor(nonce: string) {
    this.#nonce = nonce;
  }

  get state(): CommandState {
    return this.#state;
  }

  /** The shell's folder as it last told it with a mark. */
  get cwd(): string | undefined {
    return this.#cwd;
  }

  /** The latest believed marks, oldest first. */
  get marks(): readonly CommandMark[] {
    return this.#marks;
  }

  /** Takes a mark with the time (milliseconds, monotonic) at which it came; false when it is not believed. */
  accept(signal: TerminalSignal, at: number): boolean {
    if (!isMark(signal) || !this.#believes(signal)) return false;
    this.#state = this.#next(signal.kind);
    if (signal.kind === "command-end") this.#cwd = signal.cwd ?? this.#cwd;
    const mark = { ...signal, at };
    this.#marks.push(mark);
    if (this.#marks.length > MAX_MARKS) this.#marks = this.#marks.slice(MAX_MARKS / 2);
    for (const watch of this.#watchers) watch(mark);
    return true;
  }

  watch(watcher: (mark: CommandMark) => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  #believes(signal: Omit<CommandMark, "at">): boolean {
    if (signal.kind === "prompt-end") return this.#state === "prompt";
    return signal.nonce === this.#nonce;
  }

  #next(kind: CommandMark["kind"]): CommandState {
    switch (kind) {
      case "prompt":
        return "prompt";
      case "prompt-end":
        return "ready";
      case "command-start":
        return "running";
      case "command-end":
        return "ended";
    }
  }
}

function isMark(signal: TerminalSignal): signal is Omit<CommandMark, "at"> & TerminalSignal & CommandMark {
  switch (signal.kind) {
    case "prompt":
    case "prompt-end":
    case "command-start":
    case "command-end":
      return true;
    default:
      return false;
  }
}
