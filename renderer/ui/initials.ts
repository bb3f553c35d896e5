/** One or two characters that stand for a name: first of the first and of the last word; whole characters only. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._@-]+/u).filter((word) => word !== "");
  const first = firstCharacter(words[0] ?? "?");
  // A name in ideographs is not abbreviated by its parts.
  if (words.length < 2 || /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(first))
    return first.toUpperCase();
  return (first + firstCharacter(words.at(-1) ?? "")).toUpperCase();
}

function firstCharacter(word: string): string {
  const [character = ""] = new Intl.Segmenter().segment(word);
  return typeof character === "string" ? character : character.segment;
}
