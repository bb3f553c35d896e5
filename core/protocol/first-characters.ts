/** Returns the start of a text, counted as names are: an emoji is one character, and none is divided. */
export function firstCharacters(text: string, longest: number): string {
  // Most texts are short, and need no list of their characters.
  return text.length <= longest ? text : [...text].slice(0, longest).join("");
}
