import { crc32 } from "node:zlib";
import { secretPattern } from "../../core/protocol/search-pattern.ts";
import { KEY_WORD, keyLengthIn, longKeyLines } from "./key-lines.ts";
import { hasDigitAndLetter, SECRET_KINDS, type SecretKind } from "./secret-kinds.ts";

/** A secret that was hidden. */
export interface HiddenSecret {
  /** The format, or the name of the user's own pattern. */
  readonly rule: string;
  readonly from: number;
  readonly length: number;
}

/** The beginning of a word, also behind the last letter of what stands for another character: `\nghp_`, `%3Dghp_`, `\u001b[1mghp_`. */
const BEGINS = String.raw`(?:\b|(?<=\\[bfnrtv]|%[\dA-Fa-f]{2}|\[[\d;]{0,20}m))`;
const RULES = SECRET_KINDS.map((rule) => ({
  ...rule,
  // Bounded pattern: it is one of the table, whose beginning is judged once its first letters are found, which is faster.
  pattern: new RegExp(
    rule.pattern.source.replace(/^\\b\(((?:[^()]|\(\?:[^()]*\))+)\)/, `($1)(?<=${BEGINS}(?:$1))`),
    rule.pattern.flags,
  ),
}));

/** The user's own kinds. */
let ownRules: readonly { readonly name: string; readonly find: ReturnType<typeof secretPattern> }[] = [];
let ownNames = "{}";

/**
 * Hides what these patterns of RE2 find too, in this thread from now on.
 *
 * @throws RemoteError `invalid_params` for one that is none
 */
export function setOwnRules(patterns: Readonly<Record<string, string>>): void {
  ownRules = Object.entries(patterns).map(([name, pattern]) => ({ name, find: secretPattern(pattern) }));
  ownNames = JSON.stringify(patterns);
}

/** Returns a number that changes with the rules: what was redacted by others is to be redacted again. */
export function rulesVersion(): number {
  const known = RULES.map(({ name, pattern }) => `${name} ${pattern.source}`).join("\n");
  // A signed number of 32 bits, as SQLite keeps it, and not 0.
  return crc32(`${known}\n${REDRAWN.source}\n${KEY_WORD.source}\n${ownNames}`) | 1;
}

/** What stands for each character of a secret. */
export const HIDDEN = "•";
const KEY_BEGINS = "-----BEGIN ";
const KEY_ENDS = "-----END ";
/** Longest first line of a private key. */
const LONGEST_HEAD = 80;
/** Longest private key, with the sequences that a terminal was sent in it: a first line alone hides no more. */
const LONGEST_KEY = 16 * 1024;
/** What is looked at before a first line, for the words that a log has before each line. */
const LONGEST_PREFIX = 300;

/**
 * The places at which a line that is being typed goes on: shells break it with a space and CR at the edge, after which zsh draws a
 * character twice, or draw each key from the line's beginning.
 */
const REDRAWN = / \r(?:(\S)\r(?=\1))?(?![\r\n])|(?<!\r)\r+(?![\r\n])/g;

/**
 * Hides secrets in a text that is kept or leaves the machine. Each of their characters becomes a dot, so that places in
 * the text stay what they are.
 *
 * @param note - called for each secret, in no order
 */
export function redactSecrets(text: string, note: (secret: HiddenSecret) => void = () => undefined): string {
  const redacted = withoutSecrets(text, note);
  // Most texts have CR in line ends only, which is found out sooner.
  if (!/\r[^\n]/.test(redacted) || redacted.search(REDRAWN) < 0) return redacted;
  const found: HiddenSecret[] = [];
  const all = redactedWithout(redacted, REDRAWN, (typed) => withoutSecrets(typed, (secret) => found.push(secret)));
  if (found.length === 0) return redacted;
  const redraws = redacted.matchAll(REDRAWN);
  let [redraw, removed] = [redraws.next().value, 0];
  for (const secret of found.sort((one, other) => one.from - other.from)) {
    for (; redraw !== undefined && redraw.index - removed <= secret.from; redraw = redraws.next().value) {
      removed += redraw[0].length;
    }
    note({ ...secret, from: secret.from + removed });
  }
  return all;
}

/** Redacts what remains of a text without some parts of it, which stay where they are. */
function redactedWithout(text: string, parts: RegExp, redact: (rest: string) => string): string {
  const given = text.replace(parts, "");
  const rest = redact(given);
  if (rest === given) return text;
  let [redacted, from, removed] = ["", 0, 0];
  for (const { 0: part, index } of text.matchAll(parts)) {
    redacted += rest.slice(from - removed, index - removed) + part;
    from = index + part.length;
    removed += part.length;
  }
  return redacted + rest.slice(from - removed);
}

function withoutSecrets(text: string, note: (secret: HiddenSecret) => void): string {
  const known = withoutKeys(text, note);
  const divisions = divisionsOf(known);
  const rules = rulesFor(known, divisions);
  let redacted = known;
  for (const { name: rule, pattern, isSecret } of rules) {
    redacted = redacted.replace(pattern, (found: string, ...groups: unknown[]) => {
      const kept = typeof groups[0] === "string" ? groups[0] : "";
      const value = found.slice(kept.length);
      const hidden = HIDDEN.repeat(value.length);
      if (value === hidden || isSecret?.(value) === false) return found;
      const index = groups.find((group) => typeof group === "number") ?? 0;
      note({ rule, from: index + kept.length, length: value.length });
      return kept + hidden;
    });
  }
  if (divisions.length > 0) redacted = withoutDivided(known, redacted, { divisions, rules, note });
  for (const { name: rule, find } of ownRules) {
    let [shown, end] = ["", 0];
    for (const { index, length } of find(redacted)) {
      note({ rule, from: index, length });
      shown += redacted.slice(end, index) + redacted.slice(index, index + length).replace(/[^\n\r]/g, HIDDEN);
      end = index + length;
    }
    redacted = shown + redacted.slice(end);
  }
  return redacted;
}

/** What stands before and after a line break within what may be one word: programs draw boxes and break lines themselves. */
const BEFORE_BREAK = /(?<=[\w+/=.~-])[ \t]{0,4}[│┃║|]?\r?$/;
const AFTER_BREAK = /[ \t]{0,4}[│┃║|]?[ \t]{0,8}(?=[\w+/=.~-])/y;
/** Characters that are looked at before a line break. */
const BEFORE_LENGTH = 7;
/** Most pieces of a secret, the longest one, and the shortest secret with the words before it. */
const MOST_PIECES = 9;
const LONGEST_PIECE = 500;
const SHORTEST_DIVIDED = 10;
/** Words before a line break in which a secret may begin: `password = abc`. */
const WORDS_BEFORE = 3;
/** Shortest rest of a secret that is told from the next line's first word. */
const SHORTEST_REST = 6;

/**
 * The patterns without boundaries of words, which depend on what stands around: what such a pattern finds in a part of a
 * text it finds in the whole. A line is not divided.
 */
const ANYWHERE = RULES.map(({ pattern, isLine }) =>
  // Bounded pattern: it is one of the table, without the boundaries.
  isLine ? undefined : new RegExp(pattern.source.replaceAll("\\b", ""), pattern.flags.replace("g", "")),
);

/** Separators after the beginnings that stay of most secrets: these are looked for together. */
const BEGINNINGS = RULES.map(({ pattern: { source, flags } }) =>
  flags.includes("i") ? undefined : /^\(((?:[^()]|\(\?:[^()]*\))+(?:[_-]|\\\.))\)/.exec(source)?.[1],
);
// Bounded pattern: words of at most a dozen characters, looked back for at each separator.
const BEGINNING = new RegExp(`[_.-](?<=${BEGINNINGS.filter((words) => words !== undefined).join("|")})`);
const HINTS = RULES.map(({ hint }, at) => hint ?? (BEGINNINGS[at] === undefined ? undefined : BEGINNING));

/** A part of a text. */
interface Piece {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the kinds of which a text may hold a secret. Most texts hold nothing like one, and are looked through once: what is
 * found in the text, or where line breaks divide it, is in the text without these breaks.
 */
function rulesFor(text: string, divisions: readonly Piece[]): readonly SecretKind[] {
  const lines = [...divisions, { from: text.length }];
  const undivided = lines.map(({ from }, at) => text.slice(divisions[at - 1]?.to ?? 0, from)).join("");
  const isThere = new Map<RegExp | undefined, boolean>([[undefined, true]]);
  for (const [at, hint] of HINTS.entries()) {
    // The text may begin with a line.
    if (!isThere.has(hint)) isThere.set(hint, hint?.test(RULES[at]?.isLine ? `\n${text}` : undivided) === true);
  }
  return RULES.filter((_, at) => isThere.get(HINTS[at]) === true && ANYWHERE[at]?.test(undivided) !== false);
}

/**
 * Hides secrets that line breaks divide, in a text whose undivided ones are hidden.
 *
 * @param text the same text with its secrets
 */
function withoutDivided(
  text: string,
  redacted: string,
  {
    divisions,
    rules,
    note,
  }: {
    readonly divisions: readonly Piece[];
    readonly rules: readonly SecretKind[];
    readonly note: (secret: HiddenSecret) => void;
  },
): string {
  const divided = rules.filter(({ isLine }) => isLine !== true);
  if (divided.length === 0) return redacted;
  let result = "";
  for (const place of divisions.keys()) {
    const pieces = piecesAround(text, divisions, place);
    const joined = pieces.map(({ from, to }) => text.slice(from, to)).join("");
    if (joined.length < SHORTEST_DIVIDED) continue;
    const hidden = divided.flatMap((rule) =>
      dividedIn(rule, joined, pieces, redacted).map((piece) => ({ ...piece, rule: rule.name })),
    );
    for (const { from, to, rule } of hidden.sort((one, other) => one.from - other.from)) {
      const start = Math.max(result.length, from);
      const shown = redacted.slice(start, to);
      if (shown !== HIDDEN.repeat(shown.length)) note({ rule, from: start, length: shown.length });
      result += redacted.slice(result.length, start) + HIDDEN.repeat(Math.max(0, to - start));
    }
  }
  return result + redacted.slice(result.length);
}

/** Returns the line breaks between two pieces of what may be one word, with what is drawn around them. */
function divisionsOf(text: string): Piece[] {
  const divisions: Piece[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    AFTER_BREAK.lastIndex = at + 1;
    const after = AFTER_BREAK.exec(text);
    const before = after && BEFORE_BREAK.exec(text.slice(Math.max(0, at - BEFORE_LENGTH), at));
    if (before && after) divisions.push({ from: at - before[0].length, to: at + 1 + after[0].length });
  }
  return divisions;
}

/** Returns the last words before a division, and the words after it that may continue the last one. */
function piecesAround(text: string, divisions: readonly Piece[], place: number): Piece[] {
  const { from: end = 0 } = divisions[place] ?? {};
  const start = Math.max(divisions[place - 1]?.to ?? 0, end - LONGEST_PIECE);
  const words = text.slice(start, end).split(" ").slice(-WORDS_BEFORE).join(" ");
  const pieces = [{ from: end - words.length, to: end }];
  for (let next = place; next < divisions.length && pieces.length < MOST_PIECES; next += 1) {
    const { to: from = 0 } = divisions[next] ?? {};
    const lineEnd = divisions[next + 1]?.from ?? text.length;
    const [word = ""] = /^\S+/.exec(text.slice(from, Math.min(lineEnd, from + LONGEST_PIECE))) ?? [];
    pieces.push({ from, to: from + word.length });
    if (from + word.length < lineEnd) break;
  }
  return pieces;
}

/** Finds the parts of secrets of one kind that begin in the first piece and go on in others. */
function dividedIn(
  { pattern, isSecret }: SecretKind,
  joined: string,
  pieces: readonly Piece[],
  redacted: string,
): Piece[] {
  const found: Piece[] = [];
  const [first = { from: 0, to: 0 }] = pieces;
  const length = first.to - first.from;
  for (const { 0: whole, 1: kept = "", index } of joined.matchAll(pattern)) {
    const [start, end] = [index + kept.length, index + whole.length];
    if (index >= length || end <= length || isSecret?.(joined.slice(start, end)) === false) continue;
    let isWhole = joined.slice(index, length).search(pattern) === 0;
    let at = 0;
    for (const { from, to } of pieces) {
      const part = { from: Math.max(from, from + start - at), to: Math.min(to, from + end - at) };
      const value = redacted.slice(part.from, part.to);
      at += to - from;
      // What stands before may be a whole secret, and this line something else.
      const isRest = value.length >= SHORTEST_REST && hasDigitAndLetter(value) && !value.includes(HIDDEN);
      if (from !== first.from && isWhole && !isRest) break;
      if (part.from < part.to) found.push(part);
      isWhole ||= from !== first.from;
    }
  }
  return found;
}

/** Colours, movements of the cursor and character sets: they may stand beside a secret or within it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what programs print
const SEQUENCES = /\x1b(?:\[[0-?]{0,200}[ -/]{0,10}[@-~]|[()][0-9A-Z]|[0-9=>A-OQ-WYZa-z])/g;
/**
 * The same with titles, links and marks, whose own texts may be secret too, and with what fish prints between two keys of
 * one line: up and down again.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what programs print
  /\x1b\[A\r{0,3}\n|\r{0,3}\n(?:\x1b(?:\[[0-9;]{0,20}m|\(B)){0,8}\x1b\[A|\x1b(?:\[[0-?]{0,200}[ -/]{0,10}[@-~]|[()][0-9A-Z]|[0-9=>A-OQ-WYZa-z]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\))/g;

/** A program's copy to the clipboard (OSC 52): it may be a password, and no kind is found in it, because it is base64. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what programs print
const COPIED = /(\x1b\]52;[^;\x07\x1b]{0,20};)([^\x07\x1b?]+)/g;

/** Stands for each character that a terminal is sent and does not draw. */
export const NOT_DRAWN = "\0";

/** Returns what a terminal was sent, with `NOT_DRAWN` in place of sequences, titles and marks. */
export function drawnIn(output: string): string {
  return output.replace(INVISIBLE, (sequence) => NOT_DRAWN.repeat(sequence.length));
}

/**
 * As `redactSecrets`, in what a terminal was sent. Returns also how many secrets were found that begin in the first `counted`
 * characters.
 */
export function redactOutput(
  output: string,
  counted = output.length,
): { readonly text: string; readonly count: number } {
  const counts = [0, 0];
  const countIn = (pass: 0 | 1, end: number) => (secret: HiddenSecret) => {
    if (secret.from < end) counts[pass] = (counts[pass] ?? 0) + 1;
  };
  const pieces = [...Array(output.length).keys()].map((at) => output[at] ?? "");
  const hide = (redacted: string) => {
    for (let at = 0; at < redacted.length; at++) if (redacted[at] === HIDDEN) pieces[at] = HIDDEN;
  };
  const spaced = output.replace(SEQUENCES, (sequence) => " ".repeat(sequence.length));
  hide(redactSecrets(spaced, countIn(0, counted)));
  const drawn = output.slice(0, counted).replace(INVISIBLE, "").length;
  hide(redactedWithout(output, INVISIBLE, (rest) => redactSecrets(rest, countIn(1, drawn))));
  let copied = 0;
  for (const { 1: head = "", 2: value = "", index } of output.matchAll(COPIED)) {
    pieces.fill(HIDDEN, index + head.length, index + head.length + value.length);
    if (index < counted) copied += 1;
  }
  // Most secrets are found in both.
  return { text: pieces.join(""), count: Math.max(...counts) + copied };
}

/** Hides private keys: what stands between their first line and their last one, or what may be of a key without a last one. */
function withoutKeys(text: string, note: (secret: HiddenSecret) => void): string {
  let redacted = "";
  let from = 0;
  let last = text.indexOf(KEY_ENDS);
  /** Up to here lines of a key may stand apart from the others, where several programs print at once. */
  let apart = 0;
  const hide = (start: number, end: number) => {
    const key = text.slice(start, end);
    if (key.trim() !== "") note({ rule: "private key", from: start, length: end - start });
    redacted += text.slice(redacted.length, start) + key.replace(/\S/g, HIDDEN);
  };
  const hideApart = (to: number) => {
    const begin = from;
    for (const line of longKeyLines(text.slice(begin, Math.min(to, apart)))) hide(begin + line.from, begin + line.to);
  };
  for (let at = text.indexOf(KEY_BEGINS); at >= 0; at = text.indexOf(KEY_BEGINS, from)) {
    hideApart(at);
    // The first such words: a key in one line has its last line near.
    const head = /^.{0,60}?PRIVATE KEY(?: BLOCK)?-----/.exec(text.slice(at, at + LONGEST_HEAD))?.[0];
    const start = at + (head ?? KEY_BEGINS).length;
    // Looked for once for all first lines before it: every line may be one.
    if (last >= 0 && last < start) last = text.indexOf(KEY_ENDS, start);
    from = start;
    if (head === undefined) continue;
    const isWhole = last >= 0 && last < start + LONGEST_KEY;
    if (!isWhole) apart = start + LONGEST_KEY;
    from += isWhole ? last - start : keyLengthIn(text.slice(start, apart), prefixOf(text, at));
    hide(start, from);
  }
  hideApart(text.length);
  return withoutEnds(redacted + text.slice(redacted.length), note);
}

/** Returns what stands before a place in its line. */
function prefixOf(text: string, at: number): string {
  const near = text.slice(Math.max(0, at - LONGEST_PREFIX), at);
  return near.slice(near.lastIndexOf("\n") + 1);
}

/** Hides the lines of private keys before a last line whose first one is elsewhere. */
function withoutEnds(text: string, note: (secret: HiddenSecret) => void): string {
  let redacted = "";
  let from = 0;
  for (let at = text.indexOf(KEY_ENDS); at >= 0; at = text.indexOf(KEY_ENDS, at + 1)) {
    if (!/^.{0,60}PRIVATE KEY(?: BLOCK)?-----/.test(text.slice(at, at + LONGEST_HEAD))) continue;
    let start = at;
    for (let line = lineBefore(text, start); KEY_LINE.test(text.slice(line, start)); line = lineBefore(text, start)) {
      start = line;
    }
    if (start === at) continue;
    note({ rule: "private key", from: start, length: at - start });
    redacted += text.slice(from, start) + text.slice(start, at).replace(/\S/g, HIDDEN);
    from = at;
  }
  return redacted + text.slice(from);
}

const KEY_LINE = /^[A-Za-z0-9+/=]{1,80}\r?\n$/;

/** Returns where the line begins that ends at a place, of lines that may be of a key. */
function lineBefore(text: string, end: number): number {
  const near = Math.max(0, end - LONGEST_HEAD - 4);
  return near + text.slice(near, Math.max(near, end - 1)).lastIndexOf("\n") + 1;
}
