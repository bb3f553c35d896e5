/** Markup that a terminal draws in its own way, so that no piece of a text that it separates is one on the screen. */
const MARKUP = /[\r\n*_`#|<>[\]()~]/;
/** A terminal breaks lines where it likes, and draws frames around them. */
const BLANKS_AND_FRAMES = /[\s\u2500-\u259f]+/gu;
/** A shorter piece may stand on a screen by chance, and counts only as a whole line. */
const CERTAIN_LENGTH = 10;
/** Of a longer text, this much shows which one it is; an input or a message box may cut the rest. */
const LONGEST_PIECE = 60;
const MOST_TEXT = 4000;

/**
 * Tells whether a screen shows a text of a conversation, however the terminal wrapped and framed it.
 * @param screen - the screen's lines
 * @param text - what was said, by a person or an agent
 */
export function showsText(screen: string, text: string): boolean {
  const pieces = text.slice(0, MOST_TEXT).split(MARKUP).map(compact);
  const piece = pieces.reduce((longest, one) => (one.length > longest.length ? one : longest), "");
  if (piece.length >= CERTAIN_LENGTH) return compact(screen).includes(piece.slice(0, LONGEST_PIECE));
  const whole = compact(text.slice(0, MOST_TEXT));
  return whole !== "" && whole.length < CERTAIN_LENGTH && screen.split("\n").some((line) => lineText(line) === whole);
}

function compact(text: string): string {
  return text.replace(BLANKS_AND_FRAMES, "");
}

/** A line without the mark that an agent sets before a message. */
function lineText(line: string): string {
  return compact(line.replace(/^[^\p{L}\p{N}]*/u, ""));
}
