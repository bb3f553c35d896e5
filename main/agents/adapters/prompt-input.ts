import type { PromptInput } from "../../../core/protocol/prompt-input.ts";

interface PromptInputRule {
  readonly settleMs: number;
  /** The beginning of the first line of the agent's input. The last such line of the screen counts. */
  readonly marker: RegExp;
  /** What stands in the input in place of a long paste. */
  readonly pasted: RegExp;
  /** What the agent puts around a long paste in its transcript. */
  readonly wrapper?: RegExp;
}

/** As much of the beginning and of the end of a text as the input must show: it may scroll, but not begin with another text. */
const SHOWN_BEGIN = 40;
const SHOWN_END = 20;
/** The end of a text that was cut by the reader of transcripts (event-parts.ts). */
const CUT = /… \[\d+ characters cut\]$/;
/** The sides of a box that the input is drawn in. */
const BOX = /^\s*[│┃|]|[│┃|]\s*$/g;

/** Returns how prompts are entered into a program that shows its input at the end of the screen. */
export function promptInput({ settleMs, marker, pasted, wrapper }: PromptInputRule): PromptInput {
  return {
    settleMs,
    shows(screen, text) {
      const lines = screen.split("\n").map((line) => line.replace(BOX, ""));
      const first = lines.findLastIndex((line) => marker.test(line));
      if (first < 0) return false;
      const input = [lines[first]?.replace(marker, "") ?? "", ...lines.slice(first + 1)].join("\n");
      if (pasted.exec(input.trimStart())?.index === 0) return true;
      const shown = withoutSpace(input);
      const wanted = withoutSpace(text);
      return shown.startsWith(wanted.slice(0, SHOWN_BEGIN)) && shown.includes(wanted.slice(-SHOWN_END));
    },
    isRecorded(message, text) {
      const recorded = withoutSpace(wrapper === undefined ? message : message.replace(wrapper, ""));
      const wanted = withoutSpace(text);
      if (!CUT.test(message)) return recorded === wanted;
      const known = withoutSpace(message.replace(CUT, "").replace(wrapper ?? CUT, ""));
      return known !== "" && wanted.startsWith(known);
    },
  };
}

/** Programs wrap lines, indent them and replace tabs. */
function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}
