import { setTimeout as delay } from "node:timers/promises";
import { RemoteError } from "../../core/protocol/errors.ts";
import { formatSeconds } from "../../core/protocol/format-seconds.ts";
import type { CallLimit, ShellCallParams, ShellCallResult } from "../../core/protocol/shell-host.ts";
import { describeProgress } from "./run.ts";
import type { Shell } from "./shell.ts";
import type { TextPattern } from "./text-pattern.ts";
import { type FoundText, TextSearch } from "./text-search.ts";

/** How long a search may go on after the end of the shell or of the wait. */
const FINISH_MS = 2000;

type WaitOptions = Omit<ShellCallParams<"waitFor">, "shell"> & Pick<CallLimit, "lifetime">;
type WaitResult = ShellCallResult<"waitFor">;

/**
 * Waits for text, silence or the exit of the shell. Throws `wait_timeout`, and `shell_exited` when the condition can no
 * longer occur.
 */
export async function waitFor(
  shell: Shell,
  options: WaitOptions,
  pattern: TextPattern | undefined,
): Promise<WaitResult> {
  if (pattern === undefined && options.idle === undefined && options.exit !== true) {
    throw new RemoteError("invalid_params", "params: expected something to wait for: text, idle or exit.");
  }
  const since = Math.min(options.since ?? shell.log.end, shell.log.end);
  const text =
    pattern && new TextWait(shell, new TextSearch(shell, { since, skipEcho: options.echo === "skip" }, pattern));
  const silence = options.idle === undefined ? undefined : new IdleTimer(shell, options.idle);
  let result: WaitResult | undefined;
  const look = () => {
    const found = text?.look();
    if (found !== undefined) result = resultOf(found);
    else if (options.exit === true && shell.exit !== null) result = resultAtEnd(shell, "exit");
    else if (silence?.reached === true) result = resultAtEnd(shell, "idle");
    return result !== undefined;
  };
  try {
    await shell.until(look, options.timeoutMs, options.lifetime);
    // What was printed in time counts, also when it is searched only now.
    const found = result === undefined ? await text?.finish() : undefined;
    if (found !== undefined) result = resultOf(found);
  } finally {
    silence?.dispose();
    text?.stop();
  }
  if (result === undefined) throw waitError(shell, since, options);
  return result;
}

function resultOf(found: FoundText): WaitResult {
  return { kind: "text", ...found, exitCode: null, signal: null };
}

function resultAtEnd(shell: Shell, kind: "idle" | "exit"): WaitResult {
  const end = shell.log.safeEnd;
  const { exitCode = null, signal = null } = shell.exit ?? {};
  return { kind, matched: null, offset: end, end, exitCode, signal };
}

function waitError(shell: Shell, since: number, { timeoutMs }: WaitOptions): RemoteError {
  if (shell.exit !== null) {
    const sentence = `Shell ${shell.id} ended before what was waited for. ${describeProgress(shell, since)}`;
    return new RemoteError("shell_exited", sentence);
  }
  return new RemoteError(
    "wait_timeout",
    `It did not happen within ${formatSeconds(timeoutMs)}. ${describeProgress(shell, since)}`,
  );
}

/** Searches a shell's output while a wait lasts: one search at a time, from where the last one ended. */
class TextWait {
  readonly #shell: Shell;
  readonly #search: TextSearch;
  #found: FoundText | undefined;
  #error: unknown;
  #searching: Promise<void> | undefined;
  #stopped = false;

  constructor(shell: Shell, search: TextSearch) {
    this.#shell = shell;
    this.#search = search;
  }

  /** Returns what was found so far, and has new output searched. Throws what the search has failed with. */
  look(): FoundText | undefined {
    if (this.#error !== undefined) throw this.#error;
    if (this.#found === undefined && (this.#search.isBehind || this.#search.holdsBack)) this.#start();
    return this.#found;
  }

  /** Resolves to what is found in the output so far, within a limited time. */
  async finish(): Promise<FoundText | undefined> {
    const late = delay(FINISH_MS, undefined, { ref: false });
    // The search under way, and one over all that was printed meanwhile or held back.
    for (let turn = 0; turn < 2 && this.#found === undefined && this.#error === undefined; turn++) {
      this.#start();
      await Promise.race([this.#searching, late]);
    }
    if (this.#error !== undefined) throw this.#error;
    return this.#found;
  }

  stop(): void {
    this.#stopped = true;
  }

  #start(): void {
    if (this.#searching !== undefined || this.#stopped) return;
    this.#searching = this.#search
      .next()
      .then(
        (found) => {
          this.#found = found;
        },
        (error: unknown) => {
          this.#error = error;
        },
      )
      .then(() => {
        this.#searching = undefined;
        if (this.#stopped) return;
        if (this.#found !== undefined || this.#error !== undefined) this.#shell.recheckWaits();
        else if (this.#search.isBehind) this.#start();
      });
  }
}

/** Detects a time without output, counted from the start of the wait at the earliest. */
class IdleTimer {
  readonly #shell: Shell;
  readonly #ms: number;
  readonly #startedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(shell: Shell, ms: number) {
    this.#shell = shell;
    this.#ms = ms;
    this.#arm();
  }

  get reached(): boolean {
    return this.#left() <= 0;
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #left(): number {
    return Math.max(this.#shell.lastOutputAt, this.#startedAt) + this.#ms - performance.now();
  }

  /** Checks once per period of silence, not once per piece of output. */
  #arm(): void {
    this.#timer = setTimeout(
      () => {
        this.#arm();
        this.#shell.recheckWaits();
      },
      Math.max(1, Math.ceil(this.#left())),
    );
  }
}
