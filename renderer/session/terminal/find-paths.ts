import { withoutTrailing } from "../../../core/protocol/without-trailing.ts";

/** A part of a text that may be the path of a file. */
export interface PathCandidate {
  /** Without a line and column after it. */
  readonly path: string;
  /** Of the path with its line and column, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

const LONGEST = 1024;
/** In quotes, paths may have spaces. */
const QUOTED = /(["'`])([^"'`\r\n]+)\1/g;
const WORD = /(?:[A-Za-z]:[\\/])?[^\s"'`<>()[\]{}|;:,*?!$&=]+/g;
/** A line, and a column, as compilers print them; digits with which another word begins are none. */
const POSITION = /^:\d+(?::\d+)?(?!\.*[^\s"'`<>()[\]{}|;:,*?!$&=.])/;

/** Finds what may be paths: words with a slash or a file's ending, and quoted texts with a slash. Addresses are none. */
export function findPaths(text: string): PathCandidate[] {
  const quoted = [...text.matchAll(QUOTED)]
    .map(({ index, 2: path = "" }) => candidate(text, index + 1, path))
    .filter(({ path }) => /[\\/]/.test(path) && /\s/.test(path));
  const words = [...text.matchAll(WORD)]
    .map(({ index, 0: word }) => candidate(text, index, withoutTrailing(word, ".")))
    .filter((one) => looksLikePath(one.path) && !isInAddress(text, one));
  const isFree = ({ start, end }: PathCandidate) => !quoted.some((one) => start < one.end && end > one.start);
  return [...quoted, ...words.filter(isFree)].filter(({ path }) => path.length <= LONGEST);
}

/** Whether a text is a path by its form alone, for those who cannot look for the file. */
export function isClearlyPath(path: string): boolean {
  return /^(?:~|\.{1,2})?\/[^/\s]/.test(path) || /^[A-Za-z]:[\\/]./.test(path) || hasEnding(path);
}

/** Whether a path below some folder ends like a file with an extension. */
function hasEnding(path: string): boolean {
  return /\.\w+$/.test(path) && /[^/]\//.test(path.slice(0, path.lastIndexOf(".")));
}

function candidate(text: string, start: number, path: string): PathCandidate {
  const after = start + path.length;
  return { path, start, end: after + (POSITION.exec(text.slice(after, after + 20))?.[0].length ?? 0) };
}

function looksLikePath(word: string): boolean {
  return /[\p{L}\p{N}]/u.test(word) && (/[\\/]/.test(word) || /[^.]\.\w+$/.test(word)) && !/^\d[\d.]*$/.test(word);
}

/** Whether a word is the scheme or the rest of an address such as https://host/path. */
function isInAddress(text: string, { path, start }: PathCandidate): boolean {
  const after = text.slice(start + path.length, start + path.length + 3);
  if (after === "://") return true;
  const before = text.slice(Math.max(0, start - LONGEST), start);
  const [scheme = ""] = before.endsWith(":")
    ? before
        .slice(0, -1)
        .split(/[^\w+.-]/)
        .slice(-1)
    : [];
  if (/[A-Za-z]/.test(scheme)) return path.startsWith("//");
  const address = before.lastIndexOf("://");
  return address !== -1 && !/\s/.test(before.slice(address));
}
