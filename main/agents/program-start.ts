import { basename, delimiter, dirname, isAbsolute, resolve } from "node:path";
import type { ProcessInfo } from "../system/processes/process-source.ts";
import type { AgentAdapter, ResumeForm } from "./adapters/adapter.ts";
import { scriptOf } from "./adapters/adapter-files.ts";
import type { ProgramStart } from "./usage-store.ts";

const MAX_WORDS = 200;
const MAX_WORD_LENGTH = 8192;
/** Variables that say whose files an agent uses; the home folder only where it is another than this process's. */
const HOMES = new Set(["HOME", "USERPROFILE"]);
const LAUNCHED = /[\\/]agent-launchers[\\/]/;

/** Tells from a process how its program was started. */
export function programStart(adapter: AgentAdapter, process: ProcessInfo): ProgramStart {
  const argv = process.argv();
  const script = scriptOf(process)?.named;
  const first = script ?? argv[0] ?? adapter.kind;
  const args = argv.slice(script === undefined ? 1 : argv.indexOf(script) + 1);
  return {
    name: typedName(first, process) ?? adapter.kind,
    args: args.slice(0, MAX_WORDS).filter((word) => word.length <= MAX_WORD_LENGTH),
    env: accountOf(adapter, process),
  };
}

/**
 * What a user types for a program: its name where it is in a folder of PATH, as an update may replace its file, else its path.
 * Undefined where the process has overwritten it.
 */
function typedName(path: string, process: ProcessInfo): string | undefined {
  if (/\p{Cc}/u.test(path) || (/\s/.test(path) && !isAbsolute(path))) return undefined;
  const name = basename(path);
  if (name === "" || name === "." || name === "..") return undefined;
  const folder = dirname(path);
  if (folder === ".") return /[\\/]/.test(path) ? resolve(process.cwd() ?? "/", path) : name;
  const full = resolve(process.cwd() ?? "/", path);
  const folders = (process.env("PATH") ?? "").split(delimiter);
  return folders.includes(dirname(full)) && !/[\\/]node_modules[\\/]/.test(full) ? name : full;
}

/** The variables by which the agent finds its account: those that its adapter asks for and the process has. */
function accountOf(adapter: AgentAdapter, process: ProcessInfo): Record<string, string> {
  const found: Record<string, string> = {};
  adapter.home((name) => {
    const value = process.env(name);
    const isOwn = HOMES.has(name) && value === globalThis.process.env[name];
    if (value !== undefined && value !== "" && !isOwn && !/\p{Cc}/u.test(value)) found[name] = value;
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
    const { name, value } = splitOption(word);
    const values = valuesAfter(args, at);
    const takes = value !== undefined ? 0 : form.lists?.includes(name) ? values.length : Math.min(1, values.length);
    const words = args.slice(at, at + 1 + takes);
    if (form.flags.includes(word)) kept.push(word);
    else if (form.chooses.includes(name)) at += takes;
    else if (form.values.includes(name) || form.lists?.includes(name)) {
      at += takes;
      // A word that would press keys is not typed.
      if (words.some((one) => /\p{Cc}/u.test(one))) leftOut.push(name);
      else if (!words.some((one) => LAUNCHED.test(one))) kept.push(...words);
    } else leftOut.push(name);
  }
  return { kept, leftOut: [...new Set(leftOut)] };
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

function quoted(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  // fish knows backslashes in single quotes, so both stand outside of them.
  return `'${word.replace(/['\\]/g, (mark) => (mark === "'" ? `'"'"'` : `'\\\\'`))}'`;
}
