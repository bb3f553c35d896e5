/**
 * Characters that show nothing but change how the rest is shown or read: control characters, bidirectional controls, and
 * invisible ones. Joiners stay, because scripts and emoji are written with them; so do line breaks.
 */
const INVISIBLE =
  /(?!\n)[\p{Cc}\p{Bidi_C}\p{Cs}\p{Co}\u00ad\u200b\u2028\u2029\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]+/gu;

/** Returns text of a program or another person for a notification: without characters that act instead of being shown. */
export function visibleText(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\t", " ").replace(INVISIBLE, "");
}
