/** Says how many columns a character takes, as xterm.js asks for it. */
interface WidthProvider {
  readonly version: string;
  wcwidth(codepoint: number): 0 | 1 | 2;
  /**
   * @param preceding what this returned for the character before; 0 at the beginning of a text
   * @returns whether the character joins the one before (bit 0), the columns of both together or of it alone (bits 1 and
   * 2), and what the provider needs to know for the next one (from bit 3 on)
   */
  charProperties(codepoint: number, preceding: number): number;
}

/** What the terminal of a view and that of the relay have in common. */
interface UnicodeTerminal {
  readonly unicode: { register(provider: WidthProvider): void; activeVersion: string };
}

const VERSION = "graphemes";
const JOINS = 1;
const WIDTH = 0b110;
/** Stands for every other one. */
const AN_EMOJI = 0x1f600;

/**
 * Makes a terminal count the columns of what a reader sees as one character: a family of emoji, a flag, a letter with its
 * accents. Views and the relay call this, so that both have every character in the same column.
 *
 * @param addon `@xterm/addon-unicode-graphemes`, loaded into the terminal
 */
export function countGraphemes(terminal: UnicodeTerminal, addon: object): void {
  const provider: unknown = Reflect.get(addon, "_provider15Graphemes");
  // The add-on has made its own provider the active one.
  if (!isProvider(provider)) return;
  terminal.unicode.register({
    version: VERSION,
    wcwidth: (codepoint) => (isInvisible(codepoint) ? 0 : isNewEmoji(codepoint) ? 2 : provider.wcwidth(codepoint)),
    // The add-on gives invisible characters a column of their own; shells and programs don't.
    charProperties: (codepoint, preceding) =>
      preceding !== 0 && isInvisible(codepoint)
        ? (preceding & WIDTH) | JOINS
        : provider.charProperties(isNewEmoji(codepoint) ? AN_EMOJI : codepoint, preceding),
  });
  terminal.unicode.activeVersion = VERSION;
}

/** Format characters without a width: zero-width space, marks of the writing direction, word joiner, byte order mark. */
function isInvisible(codepoint: number): boolean {
  if (codepoint < 0x61c) return false;
  return (
    codepoint === 0x61c ||
    codepoint === 0x180e ||
    codepoint === 0xfeff ||
    codepoint === 0x200b ||
    (codepoint >= 0x200e && codepoint <= 0x200f) ||
    (codepoint >= 0x202a && codepoint <= 0x202e) ||
    (codepoint >= 0x2060 && codepoint <= 0x206f)
  );
}

/** Emoji that are younger than the add-on's table, which is that of Unicode 13, and the rest of their block. */
function isNewEmoji(codepoint: number): boolean {
  if (codepoint < 0x1f6dc) return false;
  return codepoint <= 0x1f6df || codepoint === 0x1f7f0 || (codepoint >= 0x1fa70 && codepoint <= 0x1faff);
}

function isProvider(value: unknown): value is WidthProvider {
  return typeof value === "object" && value !== null && "wcwidth" in value && "charProperties" in value;
}
