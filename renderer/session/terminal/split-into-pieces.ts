/** Well below `MAX_WRITE_LENGTH` of preload/channels.ts, so that typed keys interleave with a long paste. */
const PIECE = 64 * 1024;

/** Splits a text into pieces of bounded length; never splits a surrogate pair. */
export function splitIntoPieces(text: string, piece = PIECE): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = Math.min(start + piece, text.length);
    const splitsPair = end < text.length && isHighSurrogate(text.charCodeAt(end - 1));
    const cut = splitsPair && end - 1 > start ? end - 1 : end;
    pieces.push(text.slice(start, cut));
    start = cut;
  }
  return pieces;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
