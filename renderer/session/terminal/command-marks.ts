import type { IBufferLine, IMarker, Terminal } from "@xterm/xterm";
import { Undo } from "../../../core/undo.ts";

/** A command line that was run: its place in the buffer, and how it ended. */
export interface RanCommand {
  /** The line of the prompt. */
  readonly prompt: IMarker;
  /** The line where its output starts. */
  readonly start: IMarker;
  /** Where its output ends: before this column of the line. Undefined while it runs. */
  end: { readonly marker: IMarker; readonly column: number } | undefined;
  /** Undefined while it runs; null if the shell does not report it. */
  exitCode: number | null | undefined;
  /** Milliseconds; undefined while it runs, and if the shell host did not tell the times. */
  duration: number | undefined;
}

type MarkedTerminal = Pick<Terminal, "parser" | "buffer" | "scrollToLine"> & {
  registerMarker(cursorYOffset?: number): IMarker | undefined;
};

/** Number of commands that are known; each holds three markers of xterm.js. */
const MAX_COMMANDS = 500;

/**
 * The commands of a terminal, by the plain marks in its output (docs/reference/shell-marks.md). Any program can print such marks, so
 * they are for display only.
 */
export class CommandMarks {
  readonly #terminal: MarkedTerminal;
  readonly #ended: (command: RanCommand) => void;
  readonly #undo = new Undo();
  #commands: RanCommand[] = [];
  #prompt: IMarker | undefined;
  /** The command that runs, or ran last. */
  #latest: RanCommand | undefined;
  #startedAt: number | undefined;
  /** The command that was jumped to, where the viewport was after that, and the last command at that time. */
  #jump: { readonly command: RanCommand; readonly viewport: number | "end"; readonly last: RanCommand } | undefined;

  /** @param ended called when a command ends, also again: the last end mark counts */
  constructor(terminal: MarkedTerminal, ended: (command: RanCommand) => void) {
    this.#terminal = terminal;
    this.#ended = ended;
    const handler = terminal.parser.registerOscHandler(133, (data) => {
      this.#read(data.split(";"));
      return true;
    });
    this.#undo.add(() => handler.dispose());
    const reset = terminal.parser.registerEscHandler({ final: "c" }, () => {
      this.clear();
      return false;
    });
    this.#undo.add(() => reset.dispose());
  }

  /** The commands whose prompt is still kept, oldest first. */
  get commands(): readonly RanCommand[] {
    return this.#commands;
  }

  /** The command that runs, or ran last. */
  get last(): RanCommand | undefined {
    return this.#latest;
  }

  /** Scrolls to the previous (-1) or next command, and returns it; beyond the last one, to the end. */
  jump(step: 1 | -1): RanCommand | undefined {
    const { baseY, viewportY, cursorY } = this.#terminal.buffer.active;
    const jumped = this.#jumped;
    const at = jumped === undefined ? -1 : this.#commands.indexOf(jumped);
    const here = viewportY === baseY ? baseY + cursorY : viewportY;
    const target =
      at >= 0
        ? this.#commands[Math.max(0, at + step)]
        : step < 0
          ? this.#commands.findLast(({ prompt }) => prompt.line < here)
          : this.#commands.find(({ prompt }) => prompt.line > here);
    this.#scrollTo(target?.prompt.line ?? baseY);
    const last = this.#commands.at(-1);
    this.#jump = target && last && { command: target, viewport: this.#viewport, last };
    return target;
  }

  /** The command that was jumped to, while it is on show; else the last one that has ended. */
  get current(): RanCommand | undefined {
    return this.#jumped ?? this.#commands.findLast(({ end }) => end !== undefined);
  }

  /** The command that was jumped to, unless the user has scrolled or run another since. */
  get #jumped(): RanCommand | undefined {
    const jump = this.#jump;
    if (jump === undefined || jump.viewport !== this.#viewport || jump.last !== this.#commands.at(-1)) return undefined;
    return this.#commands.includes(jump.command) ? jump.command : undefined;
  }

  /**
   * Scrolls a line to the top, as far as there is enough below it. xterm.js adds the distance to where its scroll bar was
   * drawn last, which may be elsewhere after a change of size; the first call brings the two together.
   */
  #scrollTo(line: number): void {
    for (let calls = 0; calls < 2; calls++) {
      const { baseY, viewportY } = this.#terminal.buffer.active;
      if (viewportY !== Math.min(line, baseY)) this.#terminal.scrollToLine(line);
    }
  }

  get #viewport(): number | "end" {
    const { viewportY, baseY } = this.#terminal.buffer.active;
    return viewportY === baseY ? "end" : viewportY;
  }

  /** Returns a command's output as text, as far as it is kept; up to now while it runs. */
  outputOf({ start, end }: RanCommand): string {
    const buffer = this.#terminal.buffer.normal;
    const last = end?.marker.line ?? buffer.baseY + buffer.cursorY;
    const column = end?.column ?? buffer.cursorX;
    const lines: string[] = [];
    for (let at = Math.max(0, start.line); at <= last; at++) {
      const line = buffer.getLine(at);
      if (line === undefined || (at === last && column === 0)) break;
      addLine(lines, line, at === last ? column : undefined);
    }
    return lines.join("\n");
  }

  /** Forgets all commands: a reset terminal keeps the markers of what is gone. */
  clear(): void {
    for (const { prompt, start, end } of this.#commands) for (const one of [prompt, start, end?.marker]) one?.dispose();
    this.#prompt?.dispose();
    this.#prompt = undefined;
    this.#latest = undefined;
    this.#commands = [];
  }

  dispose(): void {
    this.#undo.dispose();
    this.clear();
  }

  #read([kind, ...words]: readonly string[]): void {
    const time = timeIn(words);
    switch (kind) {
      case "A":
        this.#prompt?.dispose();
        this.#prompt = this.#terminal.registerMarker(0);
        break;
      case "C":
        this.#start(time);
        break;
      case "D":
        this.#end(words[0], time);
        break;
    }
  }

  #start(time: number | undefined): void {
    const [prompt, start] = [this.#prompt, this.#terminal.registerMarker(0)];
    if (prompt === undefined || start === undefined) return;
    this.#prompt = undefined;
    this.#startedAt = time;
    const command: RanCommand = { prompt, start, end: undefined, exitCode: undefined, duration: undefined };
    this.#commands.push(command);
    this.#latest = command;
    prompt.onDispose(() => {
      this.#commands = this.#commands.filter((one) => one !== command);
    });
    if (this.#commands.length > MAX_COMMANDS) this.#commands[0]?.prompt.dispose();
  }

  /** An empty line ends too, after a prompt of its own. A program may print an end mark before the shell does: the last counts. */
  #end(code: string | undefined, time: number | undefined): void {
    const command = this.#latest;
    const marker = this.#terminal.registerMarker(0);
    const isEmptyLine = this.#prompt !== undefined && command?.end !== undefined;
    // `clear` erases its own prompt.
    if (command === undefined || command.prompt.isDisposed || marker === undefined || isEmptyLine) {
      marker?.dispose();
      return;
    }
    command.end?.marker.dispose();
    command.end = { marker, column: this.#terminal.buffer.active.cursorX };
    command.exitCode = code !== undefined && /^\d{1,10}$/.test(code) ? Number(code) : null;
    const duration = time === undefined || this.#startedAt === undefined ? undefined : time - this.#startedAt;
    command.duration = duration !== undefined && duration >= 0 ? duration : undefined;
    this.#ended(command);
  }
}

/** Returns the time in a mark: milliseconds since 1970. */
function timeIn(words: readonly string[]): number | undefined {
  const text = words.find((word) => word.startsWith("t="))?.slice(2);
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Adds a line of the buffer; one that continues the line before is part of it. */
function addLine(lines: string[], line: IBufferLine, end: number | undefined): void {
  const text = line.translateToString(true, 0, end);
  const before = line.isWrapped ? lines.pop() : undefined;
  lines.push((before ?? "") + text);
}
