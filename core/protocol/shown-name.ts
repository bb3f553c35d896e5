/**
 * Characters that are not drawn: every kind of space and control, zero-width and bidirectional ones included, unassigned and
 * private characters, fillers, variation selectors, the blank Braille pattern.
 */
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]+/gu;

/**
 * Returns a name that another party chose for itself as it is shown in dialogs, lists and terminals: on one line, without
 * characters that cannot be seen or that change the order of others.
 *
 * @param longest most code points that are kept
 * @param otherwise what is shown if nothing of the name is left
 */
export function shownName(given: string, { longest, otherwise }: { longest: number; otherwise: string }): string {
  const visible = given.normalize("NFKC").replace(INVISIBLE, " ").trim();
  return [...visible].slice(0, longest).join("").trim() || otherwise;
}

/** Names that stand for the machine, for Patchbay or for the session's owner. */
const RESERVED = [
  ...["root", "relay", "desktop", "headless", "patchbay", "service", "system", "localhost"],
  ...["admin", "administrator", "owner", "host", "you", "this app"],
];

/** Letters of other scripts, and digits, that look like a Latin letter. */
const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ["a", "аαɑ"],
    ["b", "ЬвƄ"],
    ["c", "сϲⅽ"],
    ["d", "ԁⅾ"],
    ["e", "еєεҽ"],
    ["g", "ɡ"],
    ["h", "һн"],
    ["j", "јϳ"],
    ["k", "кκ"],
    ["l", "ӏ1|ⅼiіıιɩ"],
    ["m", "мⅿ"],
    ["n", "ոп"],
    ["o", "оοσօ0"],
    ["p", "рρ"],
    ["q", "ԛ"],
    ["r", "гᴦ"],
    ["s", "ѕ"],
    ["t", "тτ"],
    ["u", "υսц"],
    ["v", "ѵν"],
    ["w", "ԝω"],
    ["x", "хχ"],
    ["y", "уүγ"],
  ].flatMap(([latin = "", others = ""]) => [...others.toLowerCase()].map((other) => [other, latin])),
);

/** Capital letters that look like a Latin one, though their small letters look like another or like none. */
const LOOKALIKE_CAPITALS: Readonly<Record<string, string>> = { Β: "b", Ε: "e", Ζ: "z", Η: "h", Μ: "m", Ν: "n", Υ: "y" };

/** Returns a text in small letters, with letters of other scripts and digits as the Latin letters that they look like. */
function foldLookalikes(text: string): string {
  return [...text]
    .flatMap((letter) => LOOKALIKE_CAPITALS[letter] ?? [...letter.toLowerCase()])
    .map((letter) => LOOKALIKES[letter] ?? letter)
    .join("");
}

/** Returns what a reader can tell of a text: not its case, its width, its scripts, or characters that show nothing. */
export function asSeen(text: string): string {
  const shown = text.normalize("NFKC").replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "");
  return foldLookalikes(shown.replace(/[\p{Cc}\s\u2800]+/gu, " ").trim());
}

/** Returns whether a name is, or is drawn like, a reserved one or one of `others`: it is for no guest. */
export function isReservedName(name: string, others: readonly string[] = []): boolean {
  const skeleton = skeletonOf(name);
  return skeleton !== "" && [...RESERVED, ...others].some((reserved) => skeletonOf(reserved) === skeleton);
}

/** Returns whether two names are the same, or are drawn alike. */
export function isSameName(a: string, b: string): boolean {
  const skeleton = skeletonOf(a);
  return skeleton === "" ? a === b : skeleton === skeletonOf(b);
}

/** Returns the name itself, or the name with the first number from 2 on that makes it none of those that are taken. */
export function distinctName(name: string, taken: readonly string[]): string {
  const isFree = (candidate: string) => !taken.some((other) => isSameName(candidate, other));
  if (isFree(name)) return name;
  for (let number = 2; ; number++) if (isFree(`${name} ${number}`)) return `${name} ${number}`;
}

/** Returns what is left of a name when case, accents, spaces, punctuation and look-alike letters are disregarded. */
function skeletonOf(name: string): string {
  return foldLookalikes(name.normalize("NFKD").replace(/[^\p{L}\p{N}|]/gu, ""));
}
