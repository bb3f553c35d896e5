import { wrapText } from "./wrap-text.ts";

/** The terminal that the screen is drawn on. */
interface ScreenOutput {
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
}

/** What stands below the printed text. */
export interface Bottom {
  /** Lines that each fit the terminal. */
  readonly lines: readonly string[];
  /** Rows above the last line, and the column from 0; default: behind the last line. */
  readonly cursor?: { readonly up: number; readonly column: number } | undefined;
}

/** Styles of text that the agent writes. */
export type TextStyle = "plain" | "faint" | "bold";
const SGR = { plain: "", faint: "\x1b[2m", bold: "\x1b[1m" } as const;
const RESET = "\x1b[0m";

/**
 * A terminal with text that scrolls, and a few lines below it that are drawn again: what the agent is writing, and the
 * user's input or a dialog. Every line is broken here, so that the number of rows is known.
 */
export class Screen {
  readonly #output: ScreenOutput;
  readonly #hasColour: boolean;
  #tail = "";
  #style: TextStyle = "plain";
  #bottom: Bottom = { lines: [] };
  #drawn: readonly string[] = [];
  #cursor: Bottom["cursor"];

  constructor(output: ScreenOutput, hasColour: boolean) {
    this.#output = output;
    this.#hasColour = hasColour;
  }

  get columns(): number {
    return Math.max(this.#output.columns || 80, 10);
  }

  get rows(): number {
    return Math.max(this.#output.rows || 24, 5);
  }

  /** Prints a text on lines of its own. */
  print(text: string, style: TextStyle = "plain"): void {
    const streamed = this.#takeTail();
    this.#draw([...streamed, ...this.#styled(wrapText(text, this.#width), style)]);
  }

  /** Adds to the text that the agent is writing. A line is printed for good when it is complete. */
  stream(text: string, style: TextStyle = "plain"): void {
    const before = style === this.#style ? [] : this.#takeTail();
    this.#style = style;
    const lines = wrapText(this.#tail + text, this.#width);
    this.#tail = lines.pop() ?? "";
    this.#draw([...before, ...this.#styled(lines, style)]);
  }

  /** Ends the line that the agent is writing. */
  endStream(): void {
    if (this.#tail !== "") this.#draw(this.#takeTail());
  }

  setBottom(bottom: Bottom): void {
    this.#bottom = bottom;
    this.#draw([]);
  }

  /** Sends a control sequence that draws nothing. */
  control(sequence: string): void {
    this.#output.write(sequence);
  }

  /** Leaves the cursor below everything that was drawn. */
  close(): void {
    this.#bottom = { lines: [] };
    this.endStream();
    this.#draw([]);
  }

  get #width(): number {
    return this.columns - 1;
  }

  #takeTail(): string[] {
    if (this.#tail === "") return [];
    const line = this.#styled([this.#tail], this.#style);
    this.#tail = "";
    return line;
  }

  #styled(lines: readonly string[], style: TextStyle): string[] {
    if (style === "plain" || !this.#hasColour) return [...lines];
    return lines.map((line) => (line === "" ? line : `${SGR[style]}${line}${RESET}`));
  }

  /** Prints lines above what is drawn again. */
  #draw(printed: readonly string[]): void {
    const tail = this.#tail === "" ? [] : this.#styled([this.#tail], this.#style);
    const drawn = [...tail, ...this.#bottom.lines].slice(-(this.rows - 1));
    const { cursor } = this.#bottom;
    if (
      printed.length === 0 &&
      drawn.length === this.#drawn.length &&
      drawn.every((line, at) => line === this.#drawn[at]) &&
      cursor?.up === this.#cursor?.up &&
      cursor?.column === this.#cursor?.column
    )
      return;
    const back = toStart(this.#drawn.length - 1 - (this.#cursor?.up ?? 0));
    const text = `${printed.map((line) => `${line}\r\n`).join("")}${drawn.join("\r\n")}`;
    const place = cursor === undefined ? "" : `${toStart(cursor.up)}\x1b[${cursor.column + 1}G`;
    this.#output.write(`${back}\x1b[J${text}${place}`);
    this.#drawn = drawn;
    this.#cursor = cursor;
  }
}

/** Returns what moves the cursor up, to the start of a line. */
function toStart(up: number): string {
  return up > 0 ? `\r\x1b[${up}A` : "\r";
}
