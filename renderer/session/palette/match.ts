/** Where a text matches: offsets of its first letter and of the one after its last. */
export type Hit = readonly [start: number, end: number];

/**
 * How a text matches, the best first. From `inside` on the match is weak: the letters are there, but may be meant for
 * something else.
 */
export const qualities = ["exact", "prefix", "synonym", "words", "detail", "inside", "gaps", "initials"] as const;
export type Quality = (typeof qualities)[number];

interface Match {
  readonly quality: Quality;
  /** Number of the word in which the first hit is, from 0. */
  readonly at: number;
  readonly hits: readonly Hit[];
}

/** Runs of letters that may be skipped in one word. */
const MAX_GAPS = 2;
/** Shorter texts are found at the start of words only: their letters are in nearly every word. */
const MIN_LETTERS_INSIDE = 3;
/** Longer texts are no initials. */
const MAX_INITIALS = 16;

/** A text as it is compared: without case and marks, each letter with its place in the original. */
export interface Folded {
  readonly text: string;
  readonly origins: readonly Hit[];
  readonly words: readonly Hit[];
}

/** Folds a text for comparisons. */
export function fold(original: string): Folded {
  let text = "";
  const origins: Hit[] = [];
  let at = 0;
  for (const letter of original) {
    const folded = letter.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
    text += folded;
    for (let unit = 0; unit < folded.length; unit++) origins.push([at, at + letter.length]);
    at += letter.length;
  }
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }): Hit => [index, index + word.length]);
  return { text, origins, words };
}

/** Matches what is typed against a title; undefined where it does not match. */
export function matchTitle(title: Folded, typed: Folded): Match | undefined {
  const needles = wordsOf(typed);
  // Text without letters, such as `~/`, has no words to rank by.
  if (needles.length === 0) return found(title, "words", literal(title, typed.text.trim()));
  const [first] = title.words;
  const joined = needles.join(" ");
  if (wordsOf(title).join(" ") === joined) return found(title, "exact", title.words);
  const begin = first?.[0] ?? 0;
  const whole = typed.text.trim();
  if (title.text.startsWith(whole, begin)) return found(title, "prefix", [[begin, begin + whole.length]]);
  const plain =
    matchWords(title, needles, atStart, "words") ??
    matchWords(title, needles, (...given) => atStart(...given) ?? inside(...given), "inside") ??
    matchWords(title, needles, (...given) => atStart(...given) ?? inside(...given) ?? withGaps(...given), "gaps");
  if (plain !== undefined) return plain;
  const [only] = needles;
  return needles.length === 1 && only !== undefined ? found(title, "initials", initials(title, only)) : undefined;
}

/** Matches what is typed against words that stand for a title: whole ones, or their starts. */
export function matchSynonyms(synonyms: readonly Folded[], typed: Folded): Quality | undefined {
  const needles = wordsOf(typed);
  const joined = needles.join(" ");
  if (needles.length === 0) return undefined;
  if (synonyms.some((synonym) => wordsOf(synonym).join(" ") === joined)) return "synonym";
  return synonyms.some((synonym) => matchWords(synonym, needles, atStart, "words") !== undefined)
    ? "detail"
    : undefined;
}

/** Matches what is typed against a title and all that is known besides. */
export function matchDetail(everything: Folded, typed: Folded): Quality | undefined {
  const needles = wordsOf(typed);
  if (needles.length === 0) return literal(everything, typed.text.trim()) === undefined ? undefined : "detail";
  if (matchWords(everything, needles, atStart, "words") !== undefined) return "detail";
  const matched = matchWords(everything, needles, (...given) => atStart(...given) ?? inside(...given), "inside");
  return matched?.quality;
}

/** Whether what is typed names the first word of a title, which is what it does. */
export function namesVerb({ text, words: [verb] }: Folded, typed: Folded): boolean {
  return verb !== undefined && wordsOf(typed).some((needle) => text.slice(...verb).startsWith(needle));
}

type InWord = (text: string, word: Hit, needle: string) => readonly Hit[] | undefined;

function wordsOf({ text, words }: Folded): readonly string[] {
  return words.map((word) => text.slice(...word));
}

function literal({ text }: Folded, typed: string): readonly Hit[] | undefined {
  const at = text.indexOf(typed);
  return typed === "" || at < 0 ? undefined : [[at, at + typed.length]];
}

/** Finds each needle in a word of its own, in any order. */
function matchWords(text: Folded, needles: readonly string[], match: InWord, quality: Quality): Match | undefined {
  const left = [...text.words];
  const hits: Hit[] = [];
  // The longest first: a shorter one that begins like it fits more words.
  for (const needle of needles.toSorted((one, other) => other.length - one.length)) {
    const at = left.findIndex((word) => match(text.text, word, needle) !== undefined);
    const [word] = at < 0 ? [] : left.splice(at, 1);
    const own = word && match(text.text, word, needle);
    if (own === undefined) return undefined;
    hits.push(...own);
  }
  return found(text, quality, hits);
}

function atStart(text: string, [start, end]: Hit, needle: string): readonly Hit[] | undefined {
  return text.startsWith(needle, start) && start + needle.length <= end ? [[start, start + needle.length]] : undefined;
}

function inside(text: string, [start, end]: Hit, needle: string): readonly Hit[] | undefined {
  if (needle.length < MIN_LETTERS_INSIDE) return undefined;
  const at = text.slice(start, end).indexOf(needle);
  return at < 0 ? undefined : [[start + at, start + at + needle.length]];
}

/** Finds a needle's letters in order in one word, from its first letter on, with few runs of others between them. */
function withGaps(text: string, [start, end]: Hit, needle: string): readonly Hit[] | undefined {
  if (needle.length < MIN_LETTERS_INSIDE || text[start] !== needle[0]) return undefined;
  const hits: Hit[] = [];
  let at = start;
  for (const letter of needle) {
    const next = text.indexOf(letter, at);
    if (next < 0 || next >= end) return undefined;
    const last = hits.at(-1);
    if (last !== undefined && last[1] === next) hits[hits.length - 1] = [last[0], next + letter.length];
    else hits.push([next, next + letter.length]);
    at = next + letter.length;
  }
  return hits.length - 1 <= MAX_GAPS ? hits : undefined;
}

/** Finds a needle as the starts of words that follow each other: `mtile` in `Move the tile`, where few are left out. */
function initials({ text, words }: Folded, needle: string): readonly Hit[] | undefined {
  if (needle.length < MIN_LETTERS_INSIDE || needle.length > MAX_INITIALS) return undefined;
  const failed = new Set<string>();
  const from = (word: number, at: number, gaps: number): readonly Hit[] | undefined => {
    if (at === needle.length) return [];
    const next = words[word];
    const state = `${word} ${at} ${gaps}`;
    if (next === undefined || gaps > MAX_GAPS || failed.has(state)) return undefined;
    const [start, end] = next;
    for (let length = commonStart(text.slice(start, end), needle.slice(at)); length > 0; length--) {
      const rest = from(word + 1, at + length, gaps);
      if (rest !== undefined) return [[start, start + length], ...rest];
    }
    // The first word is never left out.
    const skipped = word === 0 ? undefined : from(word + 1, at, gaps + 1);
    if (skipped === undefined) failed.add(state);
    return skipped;
  };
  return from(0, 0, 0);
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

function found({ origins, words }: Folded, quality: Quality, hits: readonly Hit[] | undefined): Match | undefined {
  if (hits === undefined) return undefined;
  const first = Math.min(...hits.map(([start]) => start));
  const at = words.findIndex(([, end]) => first < end);
  const inOriginal = hits.map(([start, end]): Hit => [origins[start]?.[0] ?? 0, origins[end - 1]?.[1] ?? 0]);
  return { quality, at: Math.max(0, at), hits: inOriginal.toSorted(([one], [other]) => one - other) };
}
