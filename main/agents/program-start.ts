import { basename, delimiter, dirname, isAbsolute, resolve } from "node:path";
import type { ProcessInfo } from "../system/processes/process-source.ts";
import type { AgentAdapter, ResumeForm } from "./adapters/adapter.ts";
import { scriptOf } from "./adapters/adapter-files.ts";
import type { ProgramStart } from "./usage-store.ts";

const MAX_WORDS = 200;
const MAX_WORD_LENGTH = 8192;
/** Stands for a word that is too long to be kept. It cannot be an argument, so it is never typed. */
const TOO_LONG = "\0";
/** Characters that act in a terminal, or that a person who is asked does not see. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Variables that say whose files an agent uses; the home folder only where it is another than this process's. */
const HOMES = new Set(["HOME", "USERPROFILE"]);
const LAUNCHED = /[\\/]agent-launchers[\\/]/;

/** Reads from a process how its program was started. Undefined while it begins: its arguments are not there yet. */
export function programStart(adapter: AgentAdapter, process: ProcessInfo): ProgramStart | undefined {
  const argv = process.argv();
  const script = scriptOf(process)?.named;
  const first = script ?? argv[0];
  if (first === undefined) return undefined;
  const args = argv.slice(script === undefined ? 1 : argv.indexOf(script) + 1);
  return {
    name: typedName(first, process) ?? adapter.kind,
    args: args.slice(0, MAX_WORDS).map((word) => (word.length <= MAX_WORD_LENGTH ? word : TOO_LONG)),
    env: accountOf(adapter, process),
  };
}

/**
 * What a user types for a program: its name where it is in a folder of PATH, as an update may replace its file, else its path.
 * Undefined where the process has overwritten it.
 */
function typedName(path: string, process: ProcessInfo): string | undefined {
  if (UNSEEN.test(path) || (/\s/.test(path) && !isAbsolute(path))) return undefined;
  const name = basename(path);
  if (name === "" || name === "." || name === "..") return undefined;
  const folder = dirname(path);
  if (folder === "." && !/[\\/]/.test(path)) return name;
  const full = resolve(process.cwd() ?? "/", path);
  if (UNSEEN.test(full)) return undefined;
  if (folder === ".") return full;
  const folders = (process.env("PATH") ?? "").split(delimiter);
  return folders.includes(dirname(full)) && !/[\\/]node_modules[\\/]/.test(full) ? name : full;
}

/** The variables by which the agent finds its account: those that its adapter asks for and the process has. */
function accountOf(adapter: AgentAdapter, process: ProcessInfo): Record<string, string> {
  const found: Record<string, string> = {};
  adapter.home((name) => {
    const value = process.env(name);
    const isOwn = HOMES.has(name) && value === globalThis.process.env[name];
    if (value !== undefined && value !== "" && !isOwn && !UNSEEN.test(value)) found[name] = value;
    return value;
  });
  return found;
}

/** The command that resumes a conversation as its program was started, and the options of that start that it leaves out. */
export function resumeCommand(
  form: ResumeForm,
  { name, args }: Pick<ProgramStart, "name" | "args">,
  sessionId: string | undefined,
): { readonly words: readonly string[]; readonly leftOut: readonly string[] } {
  const { kept, leftOut } = repeated(form, args);
  return { words: [name, ...(sessionId === undefined ? [] : form.words(sessionId)), ...kept], leftOut };
}

/** Chooses the options that are repeated: known ones only, so that no prompt is entered and no command run again. */
function repeated(
  form: ResumeForm,
  args: readonly string[],
): { readonly kept: readonly string[]; readonly leftOut: readonly string[] } {
  const kept: string[] = [];
  const leftOut: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word === "--") break;
    if (!word.startsWith("-")) continue;
    if (form.flags.includes(word)) {
      kept.push(word);
      continue;
    }
    const { name } = splitOption(word);
    const words = optionWith(form, args, at);
    at += words.length - 1;
    if (form.chooses.includes(name)) continue;
    if (!form.values.includes(name) && form.lists?.includes(name) !== true) {
      leftOut.push(...words.map((one) => splitOption(one).name));
    } else if (words.includes(TOO_LONG) || words.some((one) => UNSEEN.test(one))) {
      // A word that would press keys, or that is not seen whole, is not typed.
      leftOut.push(name);
    } else if (!words.some((one) => LAUNCHED.test(one))) kept.push(...words);
  }
  return { kept, leftOut: [...new Set(leftOut)] };
}

/**
 * Returns an option with the words that belong to it. One that needs a value has the next word, whatever that begins with. To
 * an unknown one the next option may belong: it could allow more as an option of its own.
 */
function optionWith(form: ResumeForm, args: readonly string[], at: number): readonly string[] {
  const word = args[at] ?? "";
  const { name, value } = splitOption(word);
  if (value !== undefined) return [word];
  if (form.values.includes(name)) return [word, args[at + 1] ?? TOO_LONG];
  if (form.lists?.includes(name) === true) return [word, ...valuesAfter(args, at)];
  if (form.chooses.includes(name)) return [word, ...valuesAfter(args, at).slice(0, 1)];
  const next = args[at + 1];
  return next?.startsWith("-") === true && next !== "--" ? [word, next] : [word];
}

/** The words between an option and the next one. */
function valuesAfter(args: readonly string[], at: number): readonly string[] {
  const next = args.findIndex((word, index) => index > at && word.startsWith("-"));
  return args.slice(at + 1, next === -1 ? undefined : next);
}

function splitOption(word: string): { readonly name: string; readonly value: string | undefined } {
  const at = word.indexOf("=");
  return at === -1 ? { name: word, value: undefined } : { name: word.slice(0, at), value: word.slice(at + 1) };
}

/** Quotes words for a POSIX shell and fish, with variables before them. */
export function shellLine(words: readonly string[], env: Readonly<Record<string, string>>): string {
  const variables = Object.entries(env).map(([name, value]) => quoted(`${name}=${value}`));
  return [...(variables.length === 0 ? [] : ["env", ...variables]), ...words.map(quoted)].join(" ");
}

/** Returns whether a command line reads the same in every shell, Windows' own included: it has plain words only. */
export function isPlainLine(words: readonly string[], env: Readonly<Record<string, string>>): boolean {
  return Object.keys(env).length === 0 && words.every((word) => /^[A-Za-z0-9_/.-][A-Za-z0-9_:./-]*$/.test(word));
}

function quoted(word: string): string {
  // The first word of a line is no assignment, no job and no option of the shell.
  if (/^[A-Za-z0-9_/.-][A-Za-z0-9_@%+:,./-]*$/.test(word)) return word;
  // fish knows backslashes in single quotes, so both stand outside of them.
  return `'${word.replace(/['\\]/g, (mark) => (mark === "'" ? `'"'"'` : `'\\\\'`))}'`;
}
