import type { MarkMessage } from "../../../core/protocol/terminal-signals.ts";
import type { ShellClaim, ShellMessage } from "./parse-claim.ts";

/**
 * Where the shell is: no mark yet; between the end of a command and the prompt; drawing the prompt; waiting for a
 * command; waiting for the rest of one; executing; at a prompt without marks, so that nothing is known any more.
 */
type CommandState = "unknown" | "ended" | "prompt" | "ready" | "continuation" | "running" | "lost";

/** A valid mark, with its offsets and the monotonic time in milliseconds at which it arrived. */
export type CommandMark = MarkMessage & { readonly offset: number; readonly end: number; readonly at: number };

/** What the shell reported besides marks: its line was not executed, or how much its line editor holds. */
export type CommandNote =
  | { readonly kind: "not-started" }
  | { readonly kind: "continuation" }
  | { readonly kind: "incomplete" }
  | { readonly kind: "lost" }
  | { readonly kind: "edited"; readonly length: number };

/** The effect of a message; undefined for a repeated one. */
type CommandStep = { readonly mark: MarkMessage } | { readonly note: CommandNote } | undefined;

type Watcher = (news: CommandMark | CommandNote) => void;

const MAX_MARKS = 512;

/**
 * Tracks the messages of shell integration. Each counts once and in order, so that a repeated message changes nothing.
 */
export class CommandTracker {
  readonly #watchers = new Set<Watcher>();
  #state: CommandState = "unknown";
  #cycle = 0;
  #prompts = 0;
  #cwd: string | undefined;
  #marks: CommandMark[] = [];

  get state(): CommandState {
    return this.#state;
  }

  /** Whether the shell waits at a prompt for a command, or for the rest of one. */
  get atPrompt(): boolean {
    return this.#state === "ready" || this.#state === "continuation";
  }

  /** As `atPrompt`, or drawing a prompt whose end may never show because something replaced it. */
  get takesKeys(): boolean {
    return this.atPrompt || this.#state === "prompt";
  }

  /** Number of the cycle from prompt to prompt that the shell is in. */
  get cycle(): number {
    return this.#cycle;
  }

  /** The folder that the shell last reported with a mark. */
  get cwd(): string | undefined {
    return this.#cwd;
  }

  /** The latest marks, oldest first. */
  get marks(): readonly CommandMark[] {
    return this.#marks;
  }

  /** Accepts a message of the shell and returns its effect. Pass a resulting mark to `note` with its offsets. */
  accept({ cycle, message }: ShellClaim): CommandStep {
    if (cycle < this.#cycle || message === undefined) return undefined;
    if (cycle > this.#cycle) {
      this.#cycle = cycle;
      this.#prompts = 0;
      this.#state = "ended";
      // The end mark may be lost: an interrupt flushes the terminal's buffers.
      if (message.kind !== "end") return this.#enter(message) ?? undefined;
      this.#cwd = message.cwd ?? this.#cwd;
      return { mark: { kind: "command-end", exitCode: message.exitCode, cwd: message.cwd } };
    }
    return this.#enter(message);
  }

  note(mark: CommandMark): void {
    this.#marks.push(mark);
    if (this.#marks.length > MAX_MARKS) this.#marks = this.#marks.slice(MAX_MARKS / 2);
    this.tell(mark);
  }

  tell(news: CommandMark | CommandNote): void {
    for (const watch of [...this.#watchers]) watch(news);
  }

  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  #enter(message: ShellMessage): CommandStep {
    switch (message.kind) {
      case "end":
        return undefined;
      case "prompt":
        if (this.#state !== "ended") return undefined;
        this.#state = "prompt";
        return { mark: { kind: "prompt", exitCode: message.exitCode } };
      case "prompt-end":
        return this.#promptEnd(message);
      case "start":
        if (this.#state === "running" || this.#state === "lost") return undefined;
        this.#state = "running";
        return { mark: { kind: "command-start" } };
      case "continuation":
        return this.#continue(message.number);
      case "incomplete":
        return this.takesKeys ? { note: message } : undefined;
      case "edited":
        // The line editor answers, so the shell is at its prompt, though an interrupt kept the prompt's own marks away.
        if (this.#state === "ended") this.#state = "ready";
        return this.takesKeys ? { note: message } : undefined;
    }
  }

  /** bash may ask for the rest of a command when it has executed the lines before. */
  #continue(number: number): CommandStep {
    const again = number > this.#prompts;
    this.#prompts = Math.max(this.#prompts, number);
    if (!this.atPrompt && !(this.#state === "running" && again)) return undefined;
    this.#state = "continuation";
    return { note: { kind: "continuation" } };
  }

  #promptEnd({ number, exitCode }: ShellMessage & { kind: "prompt-end" }): CommandStep {
    const again = number > this.#prompts;
    this.#prompts = Math.max(this.#prompts, number);
    if (this.#state === "ended" || this.#state === "prompt") {
      this.#state = "ready";
      return { mark: { kind: "prompt-end", exitCode } };
    }
    if (!again) return undefined;
    // A prompt of the same cycle: the line was dropped before it ran, or something took our hooks out.
    const lost = this.#state === "running" || this.#state === "lost";
    this.#state = lost ? "lost" : "ready";
    return { note: { kind: lost ? "lost" : "not-started" } };
  }
}
