/** Strings (OSC, DCS, SOS, PM, APC) end at these, or at the next escape sequence. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are control sequences
const STRING_END = /[\u0007\u0018\u001a\u001b\u009c]/;
/** A sequence whose end has not arrived yet, except for strings. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are control sequences
const CUT = /(?:\u001b(?:\[[0-?]*)?|\u009b[0-?]*)[ -/]*$/;
/** No sequence that is kept is longer. */
const LONGEST_CUT = 256;
const STRING = "(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u0018\\u001a\\u001b\\u009c]*";
/** Every control character and sequence but for backspace, tab, line ends and carriage return. */
const CONTROLS = new RegExp(
  [
    "(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]?",
    `${STRING}[\\u0007\\u0018\\u001a\\u009c]?`,
    "\\u001b[ -/]*[0-~]?",
    "[\\u0000-\\u0007\\u000e-\\u001f\\u007f-\\u009f]",
  ].join("|"),
  "g",
);
const CUT_STRING = new RegExp(`^${STRING}$`);
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are control sequences
const COLOUR = /^\u001b\[[0-9;:]*m$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are control sequences
const COLOUR_RESET = /^\u001b\[[0;]*m$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are control sequences
const ERASE_IN_LINE = /^\u001b\[[0-2]?K$/;

/**
 * Makes the output of a shell safe for the terminal that it is printed to: keeps text, colours and what redraws the
 * current line, and leaves out all other sequences, such as those that set the clipboard or the title, move the cursor
 * or make the terminal answer. Takes the output in pieces, which may end anywhere.
 */
export class SafeOutput {
  #held = "";
  #inString = false;
  #coloured = false;

  /** Returns what of the next piece is printed. */
  push(piece: string): string {
    const text = this.#withoutStringStart(this.#held + piece);
    const printed = text.replace(CONTROLS, (sequence, at: number) => {
      // Also where the string ends with what elsewhere begins a sequence.
      if (at + sequence.length === text.length && CUT_STRING.test(sequence)) this.#inString = true;
      if (ERASE_IN_LINE.test(sequence)) return sequence;
      if (!COLOUR.test(sequence)) return "";
      this.#coloured = !COLOUR_RESET.test(sequence);
      return sequence;
    });
    const [cut = ""] = this.#inString ? [] : (CUT.exec(text) ?? []);
    this.#held = cut.length <= LONGEST_CUT ? cut : "";
    return printed;
  }

  /** Returns what ends the output: it leaves no colour behind. */
  end(): string {
    return this.#coloured ? "\u001b[0m" : "";
  }

  /** Returns the text from the end of the string that an earlier piece began. */
  #withoutStringStart(text: string): string {
    if (!this.#inString) return text;
    const end = text.search(STRING_END);
    if (end === -1) return "";
    this.#inString = false;
    return text.slice(text[end] === "\u001b" ? end : end + 1);
  }
}

/** As `SafeOutput`, for an output that is there as a whole. */
export function safeOutput(output: string): string {
  const safe = new SafeOutput();
  return safe.push(output) + safe.end();
}
