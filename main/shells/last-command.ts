import { RemoteError } from "../../core/protocol/errors.ts";
import type { CommandMark } from "./marks/command-tracker.ts";
import type { ReadOptions, ReadResult } from "./output-log.ts";
import type { Shell } from "./shell.ts";

/**
 * Reads the output of the last command line, finished or still running, without its echo and the prompt; `lines` and
 * `maxBytes` limit it. Throws `no_shell_integration`, and `invalid_request` when no command line has run yet.
 */
export function readLastCommand(shell: Shell, { lines, maxBytes }: ReadOptions): ReadResult {
  if (shell.tracker.state === "unknown") {
    throw new RemoteError(
      "no_shell_integration",
      `Shell ${shell.id} reports no command marks (OSC 133), so its last command cannot be told; read its output by lines.`,
    );
  }
  const span = lastSpan(shell.tracker.marks);
  if (span === undefined) throw new RemoteError("invalid_request", `Shell ${shell.id} has run no command yet.`);
  const end = Math.min(span.end ?? shell.log.safeEnd, shell.log.safeEnd);
  if (end <= span.start) return { bytes: Buffer.alloc(0), chunks: 0, offset: span.start, end: span.start, missed: 0 };
  const whole = shell.log.read({ since: span.start, maxBytes: end - span.start });
  if (lines === undefined && maxBytes === undefined) return whole;
  const since = whole.end - lastLines(whole.bytes, lines).length;
  const part = shell.log.read({ since, maxBytes: Math.min(maxBytes ?? Number.POSITIVE_INFINITY, whole.end - since) });
  return { ...part, missed: lines === undefined ? whole.missed : 0 };
}

/** From the last start mark to the end mark after it; a running command has none. */
function lastSpan(marks: readonly CommandMark[]): { start: number; end: number | undefined } | undefined {
  const at = marks.findLastIndex((mark) => mark.kind === "command-start");
  const start = marks[at];
  if (start === undefined) return undefined;
  const end = marks.slice(at + 1).find((mark) => mark.kind === "command-end");
  return { start: start.end, end: end?.offset };
}

function lastLines(bytes: Buffer, count = Number.POSITIVE_INFINITY): Buffer {
  let at = bytes.length;
  for (let left = count; left > 0; left--) {
    const newline = at < 2 ? -1 : bytes.lastIndexOf(0x0a, at - 2);
    if (newline < 0) return bytes;
    at = newline + 1;
  }
  return bytes.subarray(at);
}
