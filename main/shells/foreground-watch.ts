import { basename } from "node:path";
import { maskedStart } from "../system/mask-secrets.ts";
import { foregroundJob } from "../system/processes/terminal-session.ts";
import { enteredLine } from "./command-recording.ts";
import type { Shell } from "./shell.ts";

/** Delay after output, by which a new process has executed its program; on a busy machine it may take longer. */
const LOOK_AFTER_MS = 120;
/** Delays of the further looks after that, while nothing more is printed. */
const LOOK_AGAIN_AFTER_MS = [1_000, 5_000];
/** The system is queried at most this often. */
const LOOK_EVERY_MS = process.platform === "linux" ? 500 : 2000;

/** Characters of a command line that are reported. */
const MAX_COMMAND_LINE = 200;

/**
 * Reports changes of the foreground program of a shell, which is null when the shell waits at its prompt, and of the
 * command line. The system is queried only in the seconds after output, because nearly every start and end of a command
 * prints something.
 */
export function watchForeground(
  shell: Shell,
  tell: (process: string | null, commandLine: string | undefined) => void,
): void {
  const readLine = commandLineReader(shell);
  let told: { readonly process: string | null; readonly commandLine: string | undefined } | undefined;
  let due = false;
  let lastLook = Number.NEGATIVE_INFINITY;
  let cancelNext = () => {};
  const look = async (earlier: number) => {
    due = false;
    lastLook = performance.now();
    const process = await foregroundOf(shell);
    const commandLine = await readLine();
    if (shell.exit !== null) return;
    const again = LOOK_AGAIN_AFTER_MS[earlier];
    if (again !== undefined && !due) cancelNext = shell.after(again, () => void look(earlier + 1));
    if (process === told?.process && commandLine === told?.commandLine) return;
    told = { process, commandLine };
    tell(process, commandLine);
  };
  shell.onFlush(() => {
    if (due || shell.exit !== null) return;
    due = true;
    cancelNext();
    const delay = Math.max(LOOK_AFTER_MS, lastLook + LOOK_EVERY_MS - performance.now());
    cancelNext = shell.after(delay, () => void look(0));
  });
}

/** Returns a function that reads the first row of the latest command line, each line once, without secrets. */
function commandLineReader(shell: Shell): () => Promise<string | undefined> {
  let read: { readonly offset: number; readonly line: Promise<string | undefined> } | undefined;
  return async () => {
    const start = shell.tracker.marks.findLast(({ kind }) => kind === "command-start");
    if (start === undefined) return undefined;
    if (read?.offset !== start.offset) read = { offset: start.offset, line: enteredLine(shell, start) };
    const [line = ""] = (await read.line)?.split("\n") ?? [];
    return line === "" ? undefined : maskedStart(line, MAX_COMMAND_LINE, "…");
  };
}

async function foregroundOf(shell: Shell): Promise<string | null> {
  const job = await foregroundJob(shell.pid);
  if (job === undefined) return null;
  if (!job.isShell) return job.name;
  // The shell itself runs loops and functions. A program in place of a shell has no prompt.
  return shell.direct || shell.tracker.state === "running" ? basename(shell.program) : null;
}
