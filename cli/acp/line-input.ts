import stringWidth from "string-width";
import { cleanText, wrapText } from "./wrap-text.ts";

/** A key as `node:readline` reports it. */
export interface PressedKey {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
  readonly shift?: boolean | undefined;
}

/** The beginning of the first line of the input: the relay recognizes the input by it. */
const MARKER = "❯ ";
/** Of a longer text the input shows the size alone. */
const MOST_LINES = 10;
const MOST_HISTORY = 200;
/** Longer texts are cut: the agent gets them as one message. */
const MOST_CHARACTERS = 200_000;

/** The line at the bottom of the terminal: the user's keys and pastes, and prompts that were sent before. */
export class LineInput {
  #text = "";
  readonly #history: string[] = [];
  #place = 0;
  #isPasting = false;

  get isEmpty(): boolean {
    return this.#text === "";
  }

  /** Whether keys are part of a paste, and mean nothing else. */
  get isPasting(): boolean {
    return this.#isPasting;
  }

  /** Takes a key. Returns a text that was entered; undefined while there is none. */
  press(character: string | undefined, key: PressedKey): string | undefined {
    if (key.name === "paste-start" || key.name === "paste-end") {
      this.#isPasting = key.name === "paste-start";
      return undefined;
    }
    const isLineEnd = key.name === "return" || key.name === "enter";
    if (this.#isPasting) this.#append(isLineEnd ? "\n" : (key.sequence ?? character ?? ""));
    else if (isLineEnd) return key.meta === true ? this.#append("\n") : this.#enter();
    else this.#edit(character, key);
    return undefined;
  }

  clear(): void {
    this.#text = "";
  }

  /** Returns the lines of the input, for a terminal of that width. */
  lines(columns: number): string[] {
    const isLong = this.#text.length > MOST_LINES * columns;
    const lines = isLong ? [] : wrapText(this.#text, columns - 1 - stringWidth(MARKER));
    const shown = isLong || lines.length > MOST_LINES ? [`[Pasted text, ${this.#text.length} characters]`] : lines;
    return shown.map((line, index) => `${index === 0 ? MARKER : "  "}${line}`);
  }

  #append(text: string): undefined {
    this.#text = (this.#text + cleanText(text.replaceAll("\r", "\n"))).slice(0, MOST_CHARACTERS);
  }

  #enter(): string | undefined {
    const text = this.#text.trim();
    if (text === "") return undefined;
    this.#text = "";
    this.#history.push(text);
    if (this.#history.length > MOST_HISTORY) this.#history.shift();
    this.#place = this.#history.length;
    return text;
  }

  #edit(character: string | undefined, { name, ctrl = false, meta = false }: PressedKey): void {
    if (name === "backspace") this.#text = ctrl || meta ? withoutWord(this.#text) : withoutCharacter(this.#text);
    else if (ctrl && name === "w") this.#text = withoutWord(this.#text);
    else if (ctrl && name === "u") this.#text = "";
    else if (name === "up") this.#recall(-1);
    else if (name === "down") this.#recall(1);
    else if (!ctrl && !meta && character !== undefined) this.#append(character);
  }

  #recall(step: number): void {
    const place = this.#place + step;
    if (place < 0 || place > this.#history.length) return;
    this.#place = place;
    this.#text = this.#history[place] ?? "";
  }
}

const segmenter = new Intl.Segmenter();

function withoutCharacter(text: string): string {
  const last = [...segmenter.segment(text.slice(-100))].at(-1)?.segment ?? "";
  return text.slice(0, text.length - last.length);
}

function withoutWord(text: string): string {
  return text.replace(/(?<!\S)\S+\s*$/, "");
}
