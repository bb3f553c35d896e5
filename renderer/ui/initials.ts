/** Returns the initials of the first and the last word, as whole grapheme clusters. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._@-]+/u).filter((word) => word !== "");
  const first = firstCharacter(words[0] ?? "?");
  // Names in CJK scripts keep only their first character.
  if (words.length < 2 || /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(first))
    return first.toUpperCase();
  return (first + firstCharacter(words.at(-1) ?? "")).toUpperCase();
}

function firstCharacter(word: string): string {
  const [character = ""] = new Intl.Segmenter().segment(word);
  return typeof character === "string" ? character : character.segment;
}
