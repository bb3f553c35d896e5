import { isAbsolute, join } from "node:path";

/** The characters that mean nothing to a shell, in any of sh, bash, dash and zsh. `~`, `=`, `%` and `^` mean something to one of them. */
const PLAIN = /^[A-Za-z0-9_./,:@+-]+(?: +[A-Za-z0-9_./,:@+-]+)*$/;

/**
 * Returns the words of a command line that is one program with literal arguments; undefined for any other: with quotes,
 * substitutions, patterns, redirections, assignments, several commands, or anything that is not ASCII.
 */
export function plainWords(command: string): readonly string[] | undefined {
  return PLAIN.test(command) ? command.split(/ +/) : undefined;
}

/** A program that does nothing but read the files that it is given. */
interface Reader {
  /** Options that read no other file and follow no links. */
  readonly option: RegExp;
  /** Options whose value is the next word, a number. */
  readonly numbered?: readonly string[];
  /** Operands before the paths. */
  readonly before?: number;
  /** Without a path it reads the current folder; others would wait for input. */
  readonly folder?: true;
}

const ends: Reader = { option: /^-(?:[qvz]|\d{1,9}|[nc]\+?\d{1,9})$/, numbered: ["-n", "-c"] };

/**
 * Programs that are absent on purpose: `find` and `rg` can run others, `git` runs what a repository's configuration names,
 * `sort`, `tree` and `sed` can write, `less` and `man` run pagers.
 */
const readers: ReadonlyMap<string, Reader> = new Map([
  ["cat", { option: /^-[AbEnsTv]+$/ }],
  ["head", ends],
  ["tail", ends],
  ["wc", { option: /^-[clmwL]+$/ }],
  ["stat", { option: /^-t$/ }],
  ["ls", { option: /^-[1aAdFhilprRsSt]+$/, folder: true }],
  ["pwd", { option: /^-[LP]$/, folder: true }],
  ["grep", { option: /^-(?:[cEFhHilnorsvwx]+|[ABCm]\d{1,9})$/, before: 1 }],
]);

const NUMBER = /^\+?\d{1,9}$/;

/**
 * Returns the absolute paths that a command reads; undefined for a command that is not certain to read these and to do
 * nothing else. `cwd` is empty where the folder in which it runs is not known.
 */
export function pathsRead(command: string, cwd: string): readonly string[] | undefined {
  const [program, ...words] = plainWords(command) ?? [];
  const reader = program === undefined ? undefined : readers.get(program);
  const operands = reader === undefined ? undefined : operandsOf(reader, words);
  if (reader === undefined || operands === undefined) return undefined;
  const paths = operands.slice(reader.before ?? 0);
  if (operands.length < (reader.before ?? 0) || (program === "pwd" && paths.length > 0)) return undefined;
  if (paths.length === 0 && reader.folder === undefined) return undefined;
  const absolute = (paths.length === 0 ? ["."] : paths).map((path) => absolutePath(path, cwd));
  return absolute.every((path) => path !== undefined) ? absolute : undefined;
}

function operandsOf({ option, numbered = [] }: Reader, words: readonly string[]): readonly string[] | undefined {
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (numbered.includes(word)) {
      at += 1;
      if (!NUMBER.test(words[at] ?? "")) return undefined;
    } else if (!word.startsWith("-")) operands.push(word);
    else if (!option.test(word)) return undefined;
  }
  return operands;
}

/** Whether a path has a part `..`: it leads elsewhere than its text says where a link is before it. */
export function hasUp(path: string): boolean {
  return path.split(/[\\/]/).includes("..");
}

function absolutePath(path: string, cwd: string): string | undefined {
  if (hasUp(path)) return undefined;
  if (isAbsolute(path)) return path;
  return isAbsolute(cwd) && !hasUp(cwd) ? join(cwd, path) : undefined;
}
