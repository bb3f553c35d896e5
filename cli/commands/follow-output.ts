import { z } from "zod";
import type { RemoteClient } from "../../client/remote-client.ts";
import { checkResult } from "../../client/service-error.ts";
import { exitCodes, signalExitCodes, usageError } from "../parse/exit-codes.ts";
import { jsonLine } from "../render/format-result.ts";
import type { Io, Style } from "../render/io.ts";
import { SafeOutput } from "../render/safe-output.ts";

const FirstRead = z.object({ id: z.int(), output: z.string(), end: z.int(), missed: z.int() });

/**
 * `get-shell-output --follow`: prints what the other options select, then new output, until the shell ends or
 * Ctrl-C. With `--json` one object a line. Returns the exit code.
 */
export async function followOutput(
  io: Io,
  client: RemoteClient,
  params: Readonly<Record<string, unknown>>,
  style: Style,
): Promise<number> {
  if (params.screen === true || params.maxBytes !== undefined) {
    throw usageError("--follow goes on from the end of the output: leave --screen and --max-bytes out.");
  }
  const abort = new AbortController();
  const stop = io.onInterrupt?.(() => abort.abort());
  const missed = (bytes: number) => io.stderr.write(`${io.program}: ${bytes} bytes before this are no longer kept.\n`);
  const safe = style.isTTY && style.raw !== true && !style.json ? new SafeOutput() : undefined;
  const shown = (output: string) => safe?.push(output) ?? output;
  try {
    const { result } = await client.ask("getShellOutput", params, { signal: abort.signal });
    const { id, output, end, missed: before } = checkResult(FirstRead, result, client.url);
    io.stdout.write(style.json ? jsonLine({ type: "output", data: result }) : shown(output));
    if (before > 0 && !style.json) missed(before);
    const plain = params.plain === true;
    for await (const event of client.output(id, { since: end, plain, signal: abort.signal })) {
      if (style.json) io.stdout.write(jsonLine(event));
      else if (event.type === "output") io.stdout.write(shown(event.data.output));
      else if (event.type === "missed") missed(event.data.bytes);
    }
    return exitCodes.ok;
  } catch (error) {
    if (abort.signal.aborted) return signalExitCodes.SIGINT;
    throw error;
  } finally {
    if (safe !== undefined) io.stdout.write(safe.end());
    stop?.();
  }
}
