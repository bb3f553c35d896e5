import stringWidth from "string-width";
import type { Bottom } from "./screen.ts";
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

/** Stands for the cursor while lines are broken: it takes no column. */
const CURSOR = "\u200b";

/** The line at the bottom of the terminal: the user's keys and pastes, and prompts that were sent before. */
export class LineInput {
  /** The text on both sides of the cursor. */
  #before = "";
  #after = "";
  readonly #history: string[] = [];
  #place = 0;
  #isPasting = false;

  get isEmpty(): boolean {
    return this.#before + this.#after === "";
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
    if (this.#isPasting) this.#insert(isLineEnd ? "\n" : (key.sequence ?? character ?? ""));
    else if (isLineEnd) return key.meta === true ? this.#insert("\n") : this.#enter();
    else this.#edit(character, key);
    return undefined;
  }

  clear(): void {
    this.#set("");
  }

  /** Returns the lines of the input and the cursor in them, for a terminal of that width. */
  draw(columns: number): Bottom {
    const size = this.#before.length + this.#after.length;
    const text = this.#after === "" ? this.#before : this.#before + CURSOR + this.#after;
    const wrapped = size > MOST_LINES * columns ? [] : wrapText(text, columns - 1 - stringWidth(MARKER));
    if (wrapped.length === 0 || wrapped.length > MOST_LINES) {
      return { lines: [`${MARKER}[Pasted text, ${size} characters]`] };
    }
    const lines = wrapped.map((line, index) => `${index === 0 ? MARKER : "  "}${line}`);
    const row = lines.findIndex((line) => line.includes(CURSOR));
    if (row < 0) return { lines };
    const [left = "", right = ""] = (lines[row] ?? "").split(CURSOR);
    lines[row] = left + right;
    return { lines, cursor: { up: lines.length - 1 - row, column: stringWidth(left) } };
  }

  #set(before: string, after = ""): void {
    this.#before = before;
    this.#after = after;
  }

  #insert(text: string): undefined {
    const room = MOST_CHARACTERS - this.#after.length;
    this.#before = (this.#before + cleanText(text.replaceAll("\r", "\n"))).slice(0, room);
  }

  #enter(): string | undefined {
    const text = (this.#before + this.#after).trim();
    if (text === "") return undefined;
    this.clear();
    this.#history.push(text);
    if (this.#history.length > MOST_HISTORY) this.#history.shift();
    this.#place = this.#history.length;
    return text;
  }

  #edit(character: string | undefined, { name = "", ctrl = false, meta = false }: PressedKey): void {
    const key = `${ctrl ? "C-" : ""}${meta ? "M-" : ""}${name}`;
    const [before, after] = [this.#before, this.#after];
    const move = moves[key];
    const cut = cuts[key];
    if (move !== undefined) {
      const at = move(before, after);
      this.#set((before + after).slice(0, at), (before + after).slice(at));
    } else if (cut !== undefined) {
      const at = cut(before, after);
      this.#set(before.slice(0, at), after.slice(Math.max(0, at - before.length)));
    } else if (key === "up" || key === "down") this.#recall(key === "up" ? -1 : 1);
    else if (!ctrl && !meta && character !== undefined) this.#insert(character);
  }

  #recall(step: number): void {
    const place = this.#place + step;
    if (place < 0 || place > this.#history.length) return;
    this.#place = place;
    this.#set(this.#history[place] ?? "");
  }
}

/** Returns an offset in the whole text from what stands before the cursor and after it. */
type Motion = (before: string, after: string) => number;

const segmenter = new Intl.Segmenter();
/** Code units among which a whole character is looked for. */
const LONGEST_CHARACTER = 100;
const left: Motion = (before) => {
  const last = [...segmenter.segment(before.slice(-LONGEST_CHARACTER))].at(-1)?.segment ?? "";
  return before.length - last.length;
};
const right: Motion = (before, after) => {
  const [first] = segmenter.segment(after.slice(0, LONGEST_CHARACTER));
  return before.length + (first?.segment.length ?? 0);
};
const wordLeft: Motion = (before) => before.replace(/(?<!\S)\S+\s*$/, "").length;
const wordRight: Motion = (before, after) => before.length + (/^\s*\S*/.exec(after)?.[0].length ?? 0);
const home: Motion = () => 0;
const end: Motion = (before, after) => before.length + after.length;

/** Keys that move the cursor, as shells have them. */
const moves: Readonly<Record<string, Motion>> = {
  ...{ left, right, home, end, "C-b": left, "C-f": right, "C-a": home, "C-e": end },
  ...{ "C-left": wordLeft, "M-left": wordLeft, "M-b": wordLeft },
  ...{ "C-right": wordRight, "M-right": wordRight, "M-f": wordRight },
};
/** Keys that remove the text between the cursor and a place. */
const cuts: Readonly<Record<string, Motion>> = {
  ...{ backspace: left, delete: right, "C-h": left, "C-d": right, "C-u": home, "C-k": end },
  ...{ "C-w": wordLeft, "C-backspace": wordLeft, "M-backspace": wordLeft, "M-d": wordRight, "C-delete": wordRight },
};
