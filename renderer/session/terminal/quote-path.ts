import type { Shell } from "../../../core/protocol/records.ts";

type Quote = (path: string) => string;

/** Characters that mean themselves in every shell. */
const PLAIN = /^[A-Za-z0-9_@%+:./-]+$/;

const posix: Quote = (path) => `'${path.replaceAll("'", "'\\''")}'`;
/** Within quotes, fish takes a backslash before a quote or another backslash as an escape. */
const fish: Quote = (path) => `'${path.replace(/[\\']/g, "\\$&")}'`;
const powershell: Quote = (path) => `'${path.replaceAll("'", "''")}'`;
/** No file's name on Windows has a double quote. */
const cmd: Quote = (path) => `"${path}"`;

const quotes: ReadonlyMap<string, Quote> = new Map([
  ...["sh", "bash", "dash", "ash", "ksh", "mksh", "zsh"].map((name) => [name, posix] as const),
  ["fish", fish],
  ["pwsh", powershell],
  ["powershell", powershell],
  ["cmd", cmd],
]);

/**
 * Quotes an absolute path so that the shell in front, or the one that the tile was opened with, takes it as one word.
 * Undefined if the path has control characters: typed, they would act as keys.
 */
export function quotePath(path: string, shell: Pick<Shell, "process" | "command">): string | undefined {
  if (/\p{Cc}/u.test(path)) return undefined;
  if (PLAIN.test(path)) return path;
  const names = [shell.process, shell.command].map((program) => programName(program ?? ""));
  const known = names.find((name) => quotes.has(name));
  return (quotes.get(known ?? "") ?? posix)(path);
}

/** The name of a program, of its path or its command line: `/usr/bin/zsh -l` is zsh, and so is a login shell's `-zsh`. */
function programName(command: string): string {
  const [program = ""] = command.trim().split(/\s+/);
  const name = program.split(/[\\/]/).at(-1) ?? "";
  return name.toLowerCase().replace(/^-|\.exe$/g, "");
}
