import { MAX_LINE } from "../../core/protocol/history-search.ts";
import type { ShellExit } from "../../core/protocol/shell-host.ts";
import { gitBranch } from "../system/git-branch.ts";
import type { CommandMark, CommandTracker } from "./marks/command-tracker.ts";
import type { OutputLog } from "./output-log.ts";
import { plainScreen } from "./plain-screen.ts";
import type { ShellRecorder } from "./shell-recorder.ts";

/** A prompt and a line that take more are not read. */
const MAX_LINE_BYTES = 64 * 1024;

interface RecordedShell {
  readonly log: OutputLog;
  readonly tracker: Pick<CommandTracker, "marks" | "cwd">;
  readonly screen: { readonly size: { readonly cols: number; readonly rows: number } };
}

/** Records the commands of a shell by its marks, with the line as the screen shows it. */
export class CommandRecording {
  readonly #shell: RecordedShell;
  readonly #recorder: ShellRecorder;
  #turn: Promise<void> = Promise.resolve();

  constructor(shell: RecordedShell, recorder: ShellRecorder) {
    this.#shell = shell;
    this.#recorder = recorder;
  }

  /** Resolves when the commands so far are recorded. */
  get settled(): Promise<void> {
    return this.#turn;
  }

  /** Records what a mark says. Reading a line takes its time, so commands are recorded in their turn. */
  note(mark: CommandMark): void {
    if (!this.#recorder.isRecording) return;
    const at = Date.now();
    if (mark.kind === "command-end") {
      const { offset, exitCode } = mark;
      this.#inTurn(() => this.#recorder.noteEvent({ kind: "command-end", offset, at, exitCode }));
    } else if (mark.kind === "command-start") {
      const { cwd } = this.#shell.tracker;
      // Read now: the log may have dropped it in its turn, and the command may check out another branch.
      const line = enteredLine(this.#shell, mark);
      const branch = cwd === undefined ? undefined : gitBranch(cwd);
      this.#inTurn(async () => {
        this.#recorder.noteEvent({
          kind: "command-start",
          offset: mark.end,
          at,
          line: await line,
          cwd,
          branch: await branch,
        });
      });
    }
  }

  /** Records how the shell ended, after the commands so far. */
  noteExit(exit: ShellExit): void {
    const ended = { kind: "exit", offset: this.#shell.log.end, at: Date.now(), ...exit } as const;
    this.#inTurn(() => this.#recorder.noteEvent(ended));
  }

  #inTurn(record: () => void | Promise<void>): void {
    this.#turn = this.#turn.then(record).catch(() => undefined);
  }
}

/**
 * Reads the line between the prompt and the start of a command as a person would copy it; undefined where it cannot be
 * told, because the prompt showed no marks or the line is too long.
 */
export async function enteredLine(
  { log, tracker: { marks }, screen: { size } }: RecordedShell,
  start: CommandMark,
): Promise<string | undefined> {
  const promptEnd = marks.findLast(({ kind, end }) => kind === "prompt-end" && end <= start.offset);
  const prompt = marks.findLast(({ kind, end }) => kind === "prompt" && end <= (promptEnd?.offset ?? 0));
  if (promptEnd === undefined || prompt === undefined) return undefined;
  const ended = marks.findLast(({ kind, end }) => kind === "command-start" && end <= start.offset);
  if (start.offset - prompt.end > MAX_LINE_BYTES || prompt.end < log.start) return undefined;
  // The prompt belongs to a command before, when hooks were taken out.
  if (ended !== undefined && ended.offset > promptEnd.offset) return undefined;
  const read = (from: number, to: number) => log.read({ since: from, maxBytes: to - from }).bytes;
  // The prompt is drawn too, because the line wraps where the prompt leaves off.
  const [before, whole] = [read(prompt.end, promptEnd.offset), read(prompt.end, start.offset)];
  const shown = (await plainScreen(before, size)).replace(/\n$/, "");
  const all = (await plainScreen(whole, size)).trimEnd();
  return all.startsWith(shown.trimEnd()) ? all.slice(shown.length).trim().slice(0, MAX_LINE) : undefined;
}
