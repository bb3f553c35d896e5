import type { IDecoration, Terminal } from "@xterm/xterm";
import { formatLocale } from "../../../core/phrases.ts";
import { words } from "../words/index.ts";
import type { RanCommand } from "./command-marks.ts";

/** Commands that took longer say so at the end of their line. */
const LONG_MS = 5_000;
/** Shorter durations say nothing. */
const MEASURED_MS = 100;
/** Number of commands that have a mark: the last ones. */
const MAX_MARKED = 200;

/** Describes how a command ended: `exit code 2 · 1 min 5 s`. */
export function describeCommand({ exitCode, duration }: Pick<RanCommand, "exitCode" | "duration">): string {
  const code =
    exitCode === 0
      ? words.terminal.succeeded
      : exitCode === null || exitCode === undefined
        ? words.terminal.ended
        : words.terminal.exitCode(exitCode);
  return duration === undefined || duration < MEASURED_MS ? code : words.terminal.took(code, formatTook(duration));
}

/** Formats a duration with the precision that a person wants: 0.3 s, 12 s, 1 min 5 s, 2 h 3 min. */
export function formatTook(ms: number): string {
  if (ms < 10_000)
    return words.terminal.seconds(
      (Math.floor(ms / 100) / 10).toLocaleString(formatLocale(), { minimumFractionDigits: 1 }),
    );
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return words.terminal.wholeSeconds(seconds);
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? words.terminal.minutes(minutes, seconds % 60)
    : words.terminal.hours(Math.floor(minutes / 60), minutes % 60);
}

/**
 * Draws a mark beside the prompt of each ended command, and the exit code and duration at the end of its line if it failed
 * or took long. Returns a function that draws one command.
 * @param failedColour of marks on the scroll bar, read when one is made
 */
export function createCommandGutter(terminal: Terminal, failedColour: () => string): (command: RanCommand) => void {
  const drawn = new Map<RanCommand, readonly IDecoration[]>();
  const remove = (command: RanCommand) => {
    for (const decoration of drawn.get(command) ?? []) decoration.dispose();
    drawn.delete(command);
  };
  return (command) => {
    remove(command);
    const failed = command.exitCode !== 0 && command.exitCode !== null;
    const mark = terminal.registerDecoration({
      marker: command.prompt,
      ...(failed ? { overviewRulerOptions: { color: failedColour(), position: "left" } } : {}),
    });
    mark?.onRender((element) => {
      element.classList.add("command-mark");
      element.dataset.state = failed ? "failed" : command.exitCode === 0 ? "good" : "ended";
      element.title = describeCommand(command);
    });
    const note = failed || (command.duration ?? 0) >= LONG_MS ? drawNote(terminal, command) : undefined;
    drawn.set(
      command,
      [mark, note].filter((one) => one !== undefined),
    );
    command.prompt.onDispose(() => drawn.delete(command));
    const [oldest] = drawn.keys();
    if (drawn.size > MAX_MARKED && oldest !== undefined) remove(oldest);
  };
}

/** Writes how the command ended at the right edge of its prompt's line, where the line leaves room for it. */
function drawNote(terminal: Terminal, command: RanCommand): IDecoration | undefined {
  const text = describeCommand(command);
  const width = text.length + 1;
  const note = terminal.registerDecoration({ marker: command.prompt, anchor: "right", width });
  note?.onRender((element) => {
    const line = terminal.buffer.normal.getLine(command.prompt.line)?.translateToString(true) ?? "";
    element.classList.add("command-note");
    element.textContent = line.length + width + 1 > terminal.cols ? "" : text;
  });
  return note;
}
