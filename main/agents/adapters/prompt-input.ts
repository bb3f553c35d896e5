import type { PromptInput } from "../../../core/protocol/prompt-input.ts";

interface PromptInputRule {
  readonly settleMs: number;
  /** The beginning of the first line of the agent's input. The last such line of the screen counts. */
  readonly marker: RegExp;
  /** What stands in the input in place of a long paste. */
  readonly pasted: RegExp;
  /** What stands at the end of the first line of an input that has scrolled, and what an empty input shows. */
  readonly scrolled?: { readonly sign: RegExp; readonly placeholder: RegExp };
  /** What the agent puts around a long paste in its transcript. */
  readonly wrapper?: RegExp;
  /** The line with which the content of files begins that the prompt names, and that the agent appends to it. */
  readonly appendix?: string;
}

/** As much of the beginning and of the end of a text as the input must show: it may scroll, but not begin with another text. */
const SHOWN_BEGIN = 40;
const SHOWN_END = 20;
/** The end of a text that was cut by the reader of transcripts (event-parts.ts). */
const CUT = /… \[\d+ characters cut\]$/;
/** The sides of a box that the input is drawn in. */
const BOX = /^\s*[│┃|]|[│┃|]\s*$/g;

/** Returns how prompts are entered into a program that shows its input at the end of the screen. */
export function promptInput({ settleMs, marker, pasted, scrolled, wrapper, appendix }: PromptInputRule): PromptInput {
  const inputOf = (screen: string) => {
    const lines = screen.split("\n").map((line) => line.replace(BOX, ""));
    const first = lines.findLastIndex((line) => marker.test(line));
    return first < 0 ? undefined : [lines[first]?.replace(marker, "") ?? "", ...lines.slice(first + 1)];
  };
  return {
    settleMs,
    shows(screen, text, before) {
      const lines = inputOf(screen);
      if (lines === undefined) return false;
      if (pasted.exec(lines.join("\n").trimStart())?.index === 0) return true;
      const shown = withoutSpace(lines.join("\n"));
      const wanted = withoutSpace(text);
      if (shown.startsWith(wanted.slice(0, SHOWN_BEGIN)) && shown.includes(wanted.slice(-SHOWN_END))) return true;
      if (scrolled === undefined || before === undefined || !isEmpty(inputOf(before), scrolled.placeholder))
        return false;
      const [head = "", ...others] = lines;
      if (!scrolled.sign.test(head)) return false;
      return showsEnd(withoutSpace([head.replace(scrolled.sign, ""), ...others].join("\n")), wanted);
    },
    isRecorded(told, text) {
      const message = withoutAppendix(told, appendix, text);
      const recorded = withoutSpace(wrapper === undefined ? message : message.replace(wrapper, ""));
      const wanted = withoutSpace(text);
      if (!CUT.test(message)) return recorded === wanted;
      const known = withoutSpace(message.replace(CUT, "").replace(wrapper ?? CUT, ""));
      return known !== "" && wanted.startsWith(known);
    },
  };
}

/** Removes the content of files that a prompt names by `@`; from a prompt that names none nothing is removed. */
function withoutAppendix(message: string, appendix: string | undefined, text: string): string {
  if (appendix === undefined || !text.includes("@") || text.includes(appendix)) return message;
  const at = message.indexOf(`\n${appendix}\n`);
  return at === -1 ? message : message.slice(0, at);
}

/** Whether nothing was entered: the first line is empty or the program's own hint, and nothing follows it. */
function isEmpty(lines: readonly string[] | undefined, placeholder: RegExp): boolean {
  const [first = "", second = ""] = lines ?? ["another input"];
  return (first.trim() === "" || placeholder.test(first)) && second.trim() === "";
}

/**
 * Tells whether the input, without its beginning, is the end of the text; what the program shows below the input may follow.
 * Linear in both (Knuth, Morris and Pratt), because a program draws what it likes.
 */
function showsEnd(shown: string, wanted: string): boolean {
  // By the length of each beginning of `shown`: that of the longest shorter one that it ends with.
  const shorter = new Int32Array(shown.length + 1);
  /** Returns how much of `shown` a text ends with that ended with `length` of it before this character. */
  const follow = (character: string | undefined, length: number) => {
    let longest = length;
    while (longest > 0 && (longest === shown.length || shown[longest] !== character)) longest = shorter[longest] ?? 0;
    return shown[longest] === character ? longest + 1 : longest;
  };
  for (let place = 1; place < shown.length; place++) shorter[place + 1] = follow(shown[place], shorter[place] ?? 0);
  let longest = 0;
  for (let place = 0; place < wanted.length; place++) longest = follow(wanted[place], longest);
  return longest >= SHOWN_BEGIN;
}

/** Programs wrap lines, indent them and replace tabs. */
function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}
