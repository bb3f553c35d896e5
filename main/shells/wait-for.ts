import { RemoteError } from "../../core/protocol/errors.ts";
import { formatSeconds } from "../../core/protocol/format-seconds.ts";
import type { CallLimit, ShellCallParams, ShellCallResult } from "../../core/protocol/shell-host.ts";
import { describeProgress } from "./run.ts";
import type { Shell } from "./shell.ts";
import { TextSearch } from "./text-search.ts";
import type { FindMatch } from "./timed-regex.ts";

type WaitOptions = Omit<ShellCallParams<"waitFor">, "shell"> & Pick<CallLimit, "lifetime">;
type WaitResult = ShellCallResult<"waitFor">;

/**
 * Waits for text, silence or the exit of the shell. Throws `wait_timeout`, and `shell_exited` when the condition can no
 * longer occur.
 */
export async function waitFor(shell: Shell, options: WaitOptions, find: FindMatch | undefined): Promise<WaitResult> {
  if (find === undefined && options.idle === undefined && options.exit !== true) {
    throw new RemoteError("invalid_params", "params: expected something to wait for: text, idle or exit.");
  }
  const since = Math.min(options.since ?? shell.log.end, shell.log.end);
  const search = find && new TextSearch(shell, { since, skipEcho: options.echo === "skip" }, find);
  const silence = options.idle === undefined ? undefined : new IdleTimer(shell, options.idle);
  let result: WaitResult | undefined;
  const look = () => {
    const found = search?.next();
    if (found !== undefined) result = { kind: "text", ...found, exitCode: null, signal: null };
    else if (options.exit === true && shell.exit !== null) result = resultAtEnd(shell, "exit");
    else if (silence?.reached === true) result = resultAtEnd(shell, "idle");
    return result !== undefined;
  };
  try {
    await shell.until(look, options.timeoutMs, options.lifetime);
  } finally {
    silence?.dispose();
  }
  if (result === undefined) throw waitError(shell, since, options);
  return result;
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
