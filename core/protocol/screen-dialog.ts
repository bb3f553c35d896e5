import { type QuestionOption, questionLimits } from "./questions.ts";

const LAST_LINES = 30;

/**
 * Returns the last lines of a screen, or the whole dialog at its end where that is longer, without what changes by itself:
 * trailing spaces and empty lines. Where it is not known where the dialog begins, the whole screen is returned.
 */
export function endOf(screen: string): string {
  return lastLines(screen).slice(-questionLimits.screen);
}

function lastLines(screen: string): string {
  const drawn = screen.split("\n").map((line) => line.trimEnd());
  const lines = drawn.slice(0, drawn.findLastIndex((line) => line !== "") + 1);
  const top = dialogTop(lines) ?? (marksOption(screen) ? 0 : lines.length);
  return lines.slice(Math.max(0, Math.min(top, lines.length - LAST_LINES))).join("\n");
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
 * Reads the numbered list of options of which one is marked (`❯ 1. Yes`), the last one on the screen; none where the numbers
 * have a gap, or go beyond 9: such a list has no key for each option. Its numbers stand below each other: others are lines of
 * a text, as of a command that an option names.
 */
export function optionsIn(screen: string): QuestionOption[] {
  const numbered = screen.split("\n").flatMap((line) => {
    const [, before, number, label] = /^([\s│|❯›>●▶*]*)([1-9]\d?)[.)]\s+(\S.*)$/u.exec(line) ?? [];
    if (before === undefined || label === undefined) return [];
    const isMarked = MARKED_OPTION.test(line);
    return [{ column: before.length, number: Number(number), label: label.replace(BOX_SIDE, ""), isMarked }];
  });
  const marked = numbered.findLast(({ isMarked }) => isMarked);
  if (marked === undefined) return [];
  const below = numbered.filter(({ column }) => column === marked.column);
  const first = below.indexOf(marked) - marked.number + 1;
  const list = first < 0 ? [] : below.slice(first);
  if (list.length < 2 || list.length > 9 || list.some(({ number }, index) => number !== index + 1)) return [];
  return list.map(({ number, label }) => ({
    id: String(number),
    label: label.slice(0, questionLimits.label),
    key: String(number),
  }));
}

/** Returns the options of the dialog that a screen shows; none of one that `endOf` does not show whole. */
export function optionsOn(screen: string): QuestionOption[] {
  const text = lastLines(screen);
  return text.length > questionLimits.screen ? [] : optionsIn(text);
}

/** Whether a screen shows a numbered option that is marked. */
export function marksOption(screen: string): boolean {
  return screen.split("\n").some((line) => MARKED_OPTION.test(line));
}

/** Whether a screen shows a dialog with numbered options of which one is marked. */
export function showsDialog(screen: string): boolean {
  return optionsIn(screen).length > 0;
}

/**
 * Returns the dialog at the end of a screen: from the line above it, where it has one, to the last line. Bullets and
 * spinners before its lines are left out, because they change while the dialog stays. A screen without a marked option is
 * returned whole.
 */
export function dialogOn(screen: string): string {
  const lines = screen.split("\n");
  return lines
    .slice(dialogTop(lines) ?? 0)
    .map((line) => line.replace(BULLET, ""))
    .filter((line) => line !== "")
    .join("\n");
}

/**
 * Returns the place of the line above the dialog with the marked option; undefined where it has none. Nothing in the dialog
 * begins to the left of that line: one that is indented further is a part of a text, such as of a command.
 */
function dialogTop(lines: readonly string[]): number | undefined {
  const marked = lines.findLastIndex((line) => MARKED_OPTION.test(line));
  let left = indentOf(lines[marked] ?? "");
  for (let place = marked - 1, texts = 0; place >= 0; place -= 1) {
    const line = lines[place] ?? "";
    const indent = indentOf(line);
    // A question alone is not the whole dialog: what it asks about is above it.
    if (DIALOG_TOP.test(line) && texts > 1 && indent <= left) return place;
    if (line.trim() === "") continue;
    left = Math.min(left, indent);
    if (!DIALOG_TOP.test(line)) texts += 1;
  }
  return undefined;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
