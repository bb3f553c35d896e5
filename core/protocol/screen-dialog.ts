import { type QuestionOption, questionLimits } from "./questions.ts";

const LAST_LINES = 30;

/** The last lines of a screen, without what changes by itself: trailing spaces and empty lines. */
export function endOf(screen: string): string {
  const lines = screen.split("\n").map((line) => line.trimEnd());
  const text = lines
    .slice(0, lines.findLastIndex((line) => line !== "") + 1)
    .slice(-LAST_LINES)
    .join("\n");
  return text.slice(-questionLimits.screen);
}

/** The option of a dialog that Enter would choose: other numbered lists have no mark. */
const MARKED_OPTION = /^[\s│|]*[❯›●▶]\s*[1-9][.)]\s+\S/u;

/** What agents draw before a message while its tool runs: a bullet that blinks, a spinner. */
const BULLET = /^[\s│|]*[●•◦○∙⏺✢✳✶✻✽·*\u2800-\u28ff]?\s*/u;
/** The line above a dialog: a rule over its whole width, or the upper side of its box. */
const DIALOG_TOP = /^\s*[╭┌]?[─━═▔]{8,}[╮┐]?$/u;

/** What a line of a dialog ends with: the side of its box. */
const BOX_SIDE = /(?<![\s│|])[\s│|]+$/u;

/**
 * Reads a numbered list of options (`❯ 1. Yes`), the last one on the screen; none where the numbers have a gap, or go
 * beyond 9: such a list has no key for each option.
 */
export function optionsIn(screen: string): QuestionOption[] {
  const numbered = screen.split("\n").flatMap((line) => {
    const [, number, label] = /^[\s│|❯›>●*]*([1-9]\d?)[.)]\s+(\S.*)$/u.exec(line) ?? [];
    return number === undefined || label === undefined
      ? []
      : [{ number: Number(number), label: label.replace(BOX_SIDE, "") }];
  });
  const last = numbered.slice(numbered.findLastIndex(({ number }) => number === 1));
  if (last.length < 2 || last.length > 9 || last.some(({ number }, index) => number !== index + 1)) return [];
  return last.map(({ number, label }) => ({
    id: String(number),
    label: label.slice(0, questionLimits.label),
    key: String(number),
  }));
}

/** Whether a screen shows a numbered option that is marked. */
export function marksOption(screen: string): boolean {
  return screen.split("\n").some((line) => MARKED_OPTION.test(line));
}

/** Whether a screen shows a dialog with numbered options of which one is marked. */
export function showsDialog(screen: string): boolean {
  return marksOption(screen) && optionsIn(screen).length > 0;
}

/**
 * Returns the dialog at the end of a screen: from the line above it, where it has one, to the last line. Bullets and
 * spinners before its lines are left out, because they change while the dialog stays. A screen without a marked option is
 * returned whole.
 */
export function dialogOn(screen: string): string {
  const lines = screen.split("\n");
  const marked = lines.findLastIndex((line) => MARKED_OPTION.test(line));
  let top = 0;
  for (let place = marked - 1, texts = 0; place >= 0 && top === 0; place -= 1) {
    const line = lines[place] ?? "";
    // A question alone is not the whole dialog: what it asks about is above it.
    if (DIALOG_TOP.test(line) && texts > 1) top = place;
    else if (line.trim() !== "" && !DIALOG_TOP.test(line)) texts += 1;
  }
  return lines
    .slice(top)
    .map((line) => line.replace(BULLET, ""))
    .filter((line) => line !== "")
    .join("\n");
}
