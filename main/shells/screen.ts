import type { SerializeAddon } from "@xterm/addon-serialize";
import type { IBuffer, ITerminalAddon, Terminal } from "@xterm/headless";
import type { ShellCallParams, ShellCallResult, Snapshot } from "../../core/protocol/shell-host.ts";
import { createTerminal, named } from "./headless-terminal.ts";
import type { OutputLog } from "./output-log.ts";

type ScreenText = ShellCallResult<"screen">;
type ScreenOptions = Omit<ShellCallParams<"screen">, "shell">;

const SCROLLBACK_ROWS = 1000;
/** Enough to redraw what programs show; parsing the whole log would cost the shell of a lagging subscriber too much. */
const REPLAY_BYTES = 1024 * 1024;
const IDLE_MS = 30_000;
/** The other shells get their turn after so much at the latest: a few bytes may redraw the screen. */
const AT_ONCE = 256;

interface Model {
  readonly terminal: Terminal;
  readonly serializer: SerializeAddon;
  /** Decodes as views do: xterm.js drops bytes that are not UTF-8, which then take no column. */
  readonly decoder: TextDecoder;
  /** Everything before it has been parsed. */
  fed: number;
}

/**
 * The screen of a shell, computed on demand: the first request parses the log, later ones only new output. It is
 * dropped after 30 s without a request.
 */
export class Screen {
  readonly #log: OutputLog;
  #cols: number;
  #rows: number;
  #model: Model | undefined;
  #idle: NodeJS.Timeout | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #sharedSnapshot: Promise<Snapshot> | undefined;

  constructor(log: OutputLog, cols: number, rows: number) {
    this.#log = log;
    this.#cols = cols;
    this.#rows = rows;
  }

  get size(): { readonly cols: number; readonly rows: number } {
    return { cols: this.#cols, rows: this.#rows };
  }

  resize(cols: number, rows: number): void {
    this.#cols = cols;
    this.#rows = rows;
    this.#model?.terminal.resize(cols, rows);
  }

  text(options: ScreenOptions = {}): Promise<ScreenText> {
    return this.#ask(({ terminal, fed }) => {
      const buffer = terminal.buffer.active;
      return {
        text: screenText(buffer, terminal.rows, options),
        cols: terminal.cols,
        rows: terminal.rows,
        cursor: { x: buffer.cursorX, y: buffer.cursorY },
        offset: fed,
      };
    });
  }

  /** Includes this many rows of scrollback. */
  snapshot(scrollbackRows = 0): Promise<Snapshot> {
    return this.#ask(({ terminal, serializer, fed }) => ({
      // A subscriber that continues within an image must not draw the rest of it as text.
      snapshot:
        serializer.serialize({ scrollback: Math.min(scrollbackRows, SCROLLBACK_ROWS) }) + this.#log.ignoringRest(fed),
      cols: terminal.cols,
      rows: terminal.rows,
      offset: fed,
    }));
  }

  /** A snapshot for a subscriber who reads on from its offset: those who ask until it is made get the same. */
  sharedSnapshot(): Promise<Snapshot> {
    this.#sharedSnapshot ??= this.snapshot().finally(() => {
      this.#sharedSnapshot = undefined;
    });
    return this.#sharedSnapshot;
  }

  dispose(): void {
    clearTimeout(this.#idle);
    this.#model?.terminal.dispose();
    this.#model = undefined;
  }

  /** Requests run one after the other, because parsing is asynchronous. */
  #ask<Answer>(answer: (model: Model) => Answer): Promise<Answer> {
    const asked = this.#turn.then(async () => answer(await this.#upToDate()));
    this.#turn = asked.catch(() => undefined);
    return asked;
  }

  async #upToDate(): Promise<Model> {
    clearTimeout(this.#idle);
    if (this.#model !== undefined && this.#model.fed < this.#log.start) this.dispose();
    const to = this.#log.safeEnd;
    this.#model ??= await this.#createModel(this.#log.freshStart(to - REPLAY_BYTES));
    const model = this.#model;
    await feed(model, this.#log, to);
    this.#idle = setTimeout(() => this.dispose(), IDLE_MS);
    this.#idle.unref();
    return model;
  }

  /** Loads xterm.js on first use: most shells never need it. */
  async #createModel(from: number): Promise<Model> {
    const [terminal, serialize] = await Promise.all([
      createTerminal({ cols: this.#cols, rows: this.#rows, scrollback: SCROLLBACK_ROWS }),
      import("@xterm/addon-serialize"),
    ]);
    const serializer = new (named(serialize).SerializeAddon)();
    terminal.loadAddon(serializer as unknown as ITerminalAddon);
    terminal.write(this.#log.ignoringRest(from));
    return { terminal, serializer, decoder: new TextDecoder("utf-8", { ignoreBOM: true }), fed: from };
  }
}

/** The rows of the screen as text, without trailing blanks and trailing empty lines. */
function screenText(buffer: IBuffer, rows: number, { lines, join = false }: ScreenOptions): string {
  const first = lines === undefined ? buffer.baseY : 0;
  const text: string[] = [];
  for (let row = first; row < buffer.baseY + rows; row++) {
    const line = buffer.getLine(row);
    // The trailing blanks of a wrapped row belong to the line.
    const goesOn = join && buffer.getLine(row + 1)?.isWrapped === true;
    const piece = line?.translateToString(!goesOn) ?? "";
    if (join && line?.isWrapped === true && text.length > 0) text[text.length - 1] += piece;
    else text.push(piece);
  }
  const whole = text.join("\n").trimEnd();
  return lines === undefined ? whole : whole.split("\n").slice(-lines).join("\n");
}

async function feed(model: Model, log: OutputLog, to: number): Promise<void> {
  // All views are taken first: the log may drop their blocks while the terminal parses.
  const pieces: Buffer[] = [];
  let at = Math.max(model.fed, log.start);
  while (at < to) {
    const piece = log.view(at, to - at);
    pieces.push(piece);
    at += piece.length;
  }
  for (const piece of pieces) {
    const text = model.decoder.decode(piece, { stream: true });
    for (let from = 0; from < text.length; from += AT_ONCE) model.terminal.write(text.slice(from, from + AT_ONCE));
    await new Promise<void>((resolve) => model.terminal.write("", resolve));
  }
  model.fed = Math.max(model.fed, to);
}
