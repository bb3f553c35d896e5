import type { ShellId } from "../../../core/protocol/ids.ts";
import type { OpParams, OpResult } from "../../../core/protocol/relay-ops.ts";
import type { CallLimit, ShellHost } from "../../../core/protocol/shell-host.ts";
import { signalName } from "../../system/signal-names.ts";

/** Reads the output of a shell as raw or plain text, or its screen. */
export async function readOutput(
  host: ShellHost,
  { shell, join, format, ...range }: OpParams<"readOutput">,
  limit?: CallLimit,
): Promise<OpResult<"readOutput">> {
  if (format === "screen") {
    const { text, offset } = await host.screen({ shell, join, lines: range.lines }, limit);
    return { id: shell, output: text, chunks: 1, offset, end: offset, missed: 0 };
  }
  return { id: shell, ...(await host.read({ shell, ...range, plain: format === "plain" }, limit)) };
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

/** Waits for text, silence or the end of a shell. */
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
): Promise<OpResult<"waitFor">> {
  const result = await host.waitFor({ ...conditions, echo: skipEcho ? "skip" : "include" }, limit);
  const { matched, kind, exitCode, signal, end } = result;
  const id = conditions.shell;
  return { id, kind, match: matched, exitCode, signal: signal === null ? null : signalName(signal), end };
}
