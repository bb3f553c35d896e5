/** Removes the given characters from the end of a text. A pattern such as `/x+$/` takes quadratic time for a long `xxx…y`. */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
