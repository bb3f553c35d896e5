import type { ShellId } from "../../../core/protocol/ids.ts";
import type { OpParams, OpResult } from "../../../core/protocol/relay-ops.ts";
import type { CallLimit, ShellHost } from "../../../core/protocol/shell-host.ts";
import { signalName } from "../../system/signal-names.ts";
import { hiddenScreen, hideInOutput, type IsShown, waitForShown } from "./hidden-output.ts";

/** The reader of a shell's output. */
interface OutputReader {
  /** Secrets are hidden from the reader. */
  readonly hidesSecrets: boolean;
  /** The shell still prints. */
  readonly goesOn: boolean;
}

/** Reads the output of a shell as raw or plain text, or its screen. */
export async function readOutput(
  host: ShellHost,
  { shell, join, format, ...range }: OpParams<"readOutput">,
  { hidesSecrets, goesOn }: OutputReader,
  limit?: CallLimit,
): Promise<OpResult<"readOutput">> {
  if (format === "screen") {
    const wanted = { shell, join, lines: range.lines };
    const { text, offset } = hidesSecrets
      ? await hiddenScreen(host, wanted, goesOn, limit)
      : await host.screen(wanted, limit);
    return { id: shell, output: text, chunks: 1, offset, end: offset, missed: 0 };
  }
  const plain = format === "plain";
  const read = await host.read({ shell, ...range, plain }, limit);
  const beside = (part: { readonly since: number; readonly maxBytes: number }) =>
    host.read({ shell, ...part, plain }, limit);
  return { id: shell, ...(hidesSecrets ? await hideInOutput(read, beside, goesOn) : read) };
}

/** Types a command line and, with `wait`, waits for its end. */
export async function runInShell(
  host: ShellHost,
  { shell, command: line, wait, clear, timeoutMs }: Omit<OpParams<"runInShell">, "guard" | "expect">,
  limit?: CallLimit,
): Promise<OpResult<"runInShell">> {
  if (!wait) {
    const { offset, queued } = await host.type({ shell, line }, limit);
    return { id: shell, start: offset, queued };
  }
  const { cwd, signal: number = null, ...result } = await host.run({ shell, line, timeoutMs, clear }, limit);
  // Of a command the shell knows the exit code only, and every program may exit with one above 128.
  const signal = number === null ? null : signalName(number);
  return { id: shell, ...result, signal, ...(cwd === null ? {} : { cwd }) };
}

/**
 * Waits for text, silence or the end of a shell.
 *
 * @param isShown decides whether a text that was found ends the wait; by default it does
 */
export async function waitFor(
  host: ShellHost,
  {
    skipEcho,
    ...conditions
  }: Omit<OpParams<"waitFor">, "shell" | "question" | "receipt" | "state"> & {
    readonly shell: ShellId;
    readonly caller?: string;
  },
  limit?: CallLimit,
  isShown?: IsShown,
): Promise<OpResult<"waitFor">> {
  const wanted = { ...conditions, echo: skipEcho ? "skip" : "include" } as const;
  const waited = isShown === undefined ? host.waitFor(wanted, limit) : waitForShown(host, wanted, isShown, limit);
  const result = await waited;
  const { matched, kind, exitCode, signal, end } = result;
  const id = conditions.shell;
  return { id, kind, match: matched, exitCode, signal: signal === null ? null : signalName(signal), end };
}
