/** Characters of the shortest text that is searched for, in scripts of letters. */
const LEAST_LENGTH = 3;

/** Description of the texts that can be searched for, for refusals. */
export const SEARCHABLE =
  "three characters or more, or two where one is Chinese, Japanese, Korean, Thai, Lao, Burmese or Khmer";

/** The first code that a dense character may have. */
export const FIRST_DENSE = 0x0e00;

/**
 * Returns whether a character is dense: of a script whose words often have two characters, mostly without blanks in
 * between. None of them has another case.
 *
 * @param code - of UTF-16; half of a character beyond 16 bits is not dense
 */
export function isDense(code: number): boolean {
  if (code < 0x2e80) return (code >= FIRST_DENSE && code < 0x10a0) || isJamoOrKhmer(code);
  return code < 0xd800 ? code < 0xa000 || code >= 0xac00 : isCompatible(code);
}

/** Returns whether a text is long enough to be searched for. */
export function isSearchable(text: string): boolean {
  if (text.length >= LEAST_LENGTH) return true;
  return text.length === 2 && (isDense(text.charCodeAt(0)) || isDense(text.charCodeAt(1)));
}

function isJamoOrKhmer(code: number): boolean {
  return (code >= 0x1100 && code < 0x1200) || (code >= 0x1780 && code < 0x1800);
}

/** Compatibility ideographs, and Katakana and Hangul of half the width. */
function isCompatible(code: number): boolean {
  return (code >= 0xf900 && code < 0xfb00) || (code >= 0xff66 && code < 0xffdd);
}
