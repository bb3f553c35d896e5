import { setTimeout as delay } from "node:timers/promises";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { formatSeconds } from "../../../core/protocol/format-seconds.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { OpParams } from "../../../core/protocol/relay-ops.ts";
import type { CallLimit, ShellCallParams, ShellCallResult, ShellHost } from "../../../core/protocol/shell-host.ts";
import { runInTurns } from "../../system/in-turns.ts";
import { redactPart, redactPartInSteps } from "../../system/redact-part.ts";

/** Output beside a part in which a secret may begin or end, with the sequences that a terminal was sent in it. */
const BESIDE_BYTES = 32 * 1024;
/** Rows above a part of the screen in which a secret may begin: a private key has fewer. */
const ROWS_ABOVE = 300;
/** How often a word that is found at the end of the output is looked at for what follows it. */
const LOOK_MS = 300;
/** Characters with a meaning in a regular expression. */
const SPECIAL = "\\^$.|?*+()[]{}";

/** Output, and its place in all that a shell has printed. */
interface OutputPart {
  readonly output: string;
  readonly offset: number;
  readonly end: number;
}

type ReadPart = (range: {
  readonly since: number;
  readonly maxBytes: number;
}) => Promise<(OutputPart & { readonly missed: number }) | undefined>;

/**
 * Hides secrets in a part of a shell's output, also those that the part's borders divide: callers choose the borders.
 *
 * @param goesOn the shell or command still prints: a word that nothing follows may be the beginning of a secret
 */
export async function hideInOutput<P extends OutputPart>(part: P, read: ReadPart, goesOn: boolean): Promise<P> {
  if (part.output === "") return part;
  const since = Math.max(0, part.offset - BESIDE_BYTES);
  const before = since === part.offset ? undefined : await read({ since, maxBytes: part.offset - since });
  const after = await read({ since: part.end, maxBytes: BESIDE_BYTES });
  // A border within a character or a sequence leaves a gap.
  const isAfter = before !== undefined && before.end === part.offset;
  const isFollowed = after !== undefined && after.offset === part.end;
  const surroundings = {
    before: isAfter ? before.output : "",
    after: isFollowed ? after.output : "",
    isBegun: part.offset > 0 && !(isAfter && before.missed === 0),
    goesOn: goesOn || (after !== undefined && !isFollowed),
  };
  const output = await runInTurns(redactPartInSteps(part.output, surroundings));
  return { ...part, output };
}

/** Returns the screen, or its last rows, without secrets, also those that begin above. */
export async function hiddenScreen(
  host: Pick<ShellHost, "screen">,
  { shell, join, lines }: Pick<OpParams<"readOutput">, "shell" | "join" | "lines">,
  goesOn: boolean,
  limit?: CallLimit,
): Promise<Pick<ShellCallResult<"screen">, "text" | "offset">> {
  let count = lines;
  if (count === undefined) {
    const visible = await host.screen({ shell, join }, limit);
    if (visible.text === "") return { text: "", offset: visible.offset };
    count = visible.text.split("\n").length;
  }
  // One look has both: a shell that prints meanwhile has other rows at the next.
  const { text, rows, offset } = await host.screen({ shell, join, lines: count + ROWS_ABOVE }, limit);
  const shown = text.split("\n").slice(-count).join("\n");
  const before = text.slice(0, text.length - shown.length);
  // Where more rows are asked for than there are, the oldest one may be the rest of a line.
  return { text: redactPart(shown, { before, isBegun: before === "" && count > rows, goesOn }), offset };
}

/** Returns the result of a command without secrets in its output, of which the beginning may be lost. */
export async function hiddenRun<
  R extends { readonly output?: string | undefined; readonly missed?: number | undefined },
>(result: R): Promise<R> {
  const { output, missed = 0 } = result;
  if (output === undefined) return result;
  return { ...result, output: await runInTurns(redactPartInSteps(output, { isBegun: missed > 0 })) };
}

/** Decides whether a text that was found is told to the caller. */
export type IsShown = (found: { readonly offset: number; readonly end: number }) => Promise<boolean>;

/**
 * Waits as the shell host does, but for a text that may be shown. The refusal is the same whether a hidden text was found or
 * not: how much was printed since, and how much time was left, would tell of it.
 */
export async function waitForShown(
  host: Pick<ShellHost, "waitFor">,
  wanted: ShellCallParams<"waitFor">,
  isShown: IsShown,
  limit?: CallLimit,
): Promise<ShellCallResult<"waitFor">> {
  const until = performance.now() + wanted.timeoutMs;
  let wait = wanted;
  try {
    for (;;) {
      const result = await host.waitFor(wait, limit);
      if (result.kind !== "text" || (await isShown(result))) return result;
      const timeoutMs = Math.ceil(until - performance.now());
      // Each search of the output that is there already may find another one, however little time is left.
      if (timeoutMs < 1) throw new RemoteError("wait_timeout", "It did not happen in time.");
      wait = { ...wanted, since: result.end, timeoutMs };
    }
  } catch (error) {
    throw error instanceof RemoteError ? withoutProgress(error, wanted) : error;
  }
}

function withoutProgress(error: RemoteError, { shell, timeoutMs }: ShellCallParams<"waitFor">): RemoteError {
  if (error.code === "wait_timeout") {
    return new RemoteError(error.code, `It did not happen within ${formatSeconds(timeoutMs)}.`);
  }
  if (error.code !== "shell_exited") return error;
  return new RemoteError(error.code, `Shell ${shell} ended before what was waited for.`);
}

/** The shells of a session, as far as waits need them. */
interface WaitedShells {
  readonly host: Pick<ShellHost, "read">;
  find(id: ShellId): { readonly running: boolean } | undefined;
}

/**
 * Returns what decides whether a text that was found is told to a caller from whom secrets are hidden. Of a last word that
 * nothing follows yet it is decided when something does, or the wait ends.
 *
 * @throws RemoteError `scope_forbids` for a pattern: with parts that may be missing it would tell of a secret letter by
 *   letter, although its match is hidden
 */
export function shownTextIn(
  shells: WaitedShells,
  {
    shell,
    text = "",
    fixed,
    timeoutMs,
  }: Pick<OpParams<"waitFor">, "text" | "fixed" | "timeoutMs"> & { readonly shell: ShellId },
  lifetime: CallLimit["lifetime"],
): IsShown {
  if (!fixed && [...text].some((character) => SPECIAL.includes(character))) {
    throw new RemoteError(
      "scope_forbids",
      "Secrets are hidden from this caller, which therefore waits for a plain text only: set `fixed` (--fixed).",
    );
  }
  const until = performance.now() + timeoutMs;
  const { host } = shells;
  const read: ReadPart = (range) => host.read({ shell, ...range, plain: true }, { lifetime });
  return async ({ offset, end }) => {
    for (;;) {
      const found = await host.read({ shell, since: offset, maxBytes: end - offset, plain: true }, { lifetime });
      // What was dropped meanwhile cannot be judged any more.
      if (found.offset !== offset || found.end !== end) return false;
      const { output } = await hideInOutput(found, read, false);
      if (output !== found.output) return false;
      const settled = await hideInOutput(found, read, shells.find(shell)?.running === true);
      if (settled.output === output) return true;
      if (performance.now() >= until || lifetime?.ended !== undefined) return false;
      await delay(LOOK_MS, undefined, { ref: false });
    }
  };
}
