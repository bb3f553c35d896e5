import { splitCommandWords } from "../../cli/commands/func.ts";
import { isRelative } from "../../cli/commands/resolve-paths.ts";
import { commandNamed } from "../../cli/parse/command-table.ts";
import type { Io } from "../../cli/render/io.ts";

/** First field of every request; raised when the fields change their meaning. */
const VERSION = "3";

/** A request of `bin/service`: the program's own name, its terminal, variables as `NAME=value`, `--`, the arguments. */
export type CommandRequest = Pick<Io, "args" | "env" | "program"> & {
  readonly isTTY: boolean;
  readonly columns: number;
};

/**
 * Parses a request of the fast command line: fields separated by the character after the first field. Undefined for
 * what the caller's own process must do: other programs than `func`, another machine, an endless stream, a path relative
 * to the caller's folder.
 */
export function parseCommandRequest(body: Buffer): CommandRequest | undefined {
  const text = body.toString("utf8");
  // The here-document that carries it ends with a newline, whatever the fields end with.
  const [version, program, columns, ...fields] = text.slice(0, -1).split(text.charAt(VERSION.length) || "\n");
  const end = fields.indexOf("--");
  if (version !== VERSION || (program !== "patchbay" && program !== "service") || end === -1) return undefined;
  const args = fields.slice(end + 1);
  const [word, ...rest] = args;
  const isTTY = columns !== "";
  if (word !== "func" || needsOwnProcess(rest, isTTY)) return undefined;
  const variables = fields.slice(0, end).filter((field) => field.includes("="));
  const env = Object.fromEntries(
    variables.map((field) => [field.slice(0, field.indexOf("=")), field.slice(field.indexOf("=") + 1)]),
  );
  return { args, env, program, isTTY, columns: Number(columns) || 80 };
}

/**
 * Whether the caller's own process is needed: for another machine, whose key is not lent here, an endless stream,
 * standard input or a file, a wait that Ctrl-C interrupts, or a path relative to the caller's folder. A word that only
 * looks like `--on` is declined too, which costs time and nothing else.
 */
function needsOwnProcess(words: readonly string[], isTTY: boolean): boolean {
  const { name, before, rest } = splitCommandWords(words);
  if (words.some((word) => /^--on(=|$)/.test(word))) return true;
  if (name === "events" || usesLocalStreams(name, words, isTTY)) return true;
  const row = commandNamed(name ?? "");
  const paths = row?.params.filter(({ kind }) => kind === "path").map(({ word }) => `--${word}`) ?? [];
  if (paths.some((option) => optionValues(rest, option).some(isRelative))) return true;
  const ownData = row?.params.some(({ word }) => word === "data") === true;
  return (ownData ? before : words).some((option) => /^--data(=|$)/.test(option));
}

/** All values of an option in any spelling. */
function optionValues(words: readonly string[], option: string): string[] {
  return words.flatMap((word, index) => {
    if (word === option) return words[index + 1] ?? [];
    return word.startsWith(`${option}=`) ? word.slice(option.length + 1) : [];
  });
}

function usesLocalStreams(name: string | undefined, words: readonly string[], isTTY: boolean): boolean {
  const { local = [], stdin } = commandNamed(name ?? "") ?? {};
  if (local.some(({ word }) => words.some((each) => each === `--${word}` || each.startsWith(`--${word}=`))))
    return true;
  const takesInput = stdin !== undefined || local.some(({ name: option }) => option === "file");
  if (takesInput && words.includes("-")) return true;
  // Without a terminal there is no Ctrl-C.
  return isTTY && name === "run" && words.includes("--wait");
}

/** What a command printed, and its exit code. */
export interface FinishedCommand {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** A shell reads a line byte by byte: a longer output is copied sooner by a program that the script starts. */
const MAX_OUTPUT_IN_LINE = 1024;

/**
 * Returns the line that answers a command, and the output that follows it: `CODE LENGTH .ERRORS.`, or `CODE 0 .ERRORS.|.OUTPUT.`
 * with a short output. Dots keep spaces at the ends, which a shell's `read` strips.
 */
export function answerLine({ out, err, code }: FinishedCommand): { readonly line: string; readonly output: Buffer } {
  const errors = `.${escapedForPrintf(err)}.`;
  if (out !== "" && out.length <= MAX_OUTPUT_IN_LINE) {
    const inLine = escapedForPrintf(out);
    if (inLine.length <= MAX_OUTPUT_IN_LINE) {
      return { line: `${code} 0 ${errors}|.${inLine}.\n`, output: Buffer.alloc(0) };
    }
  }
  const output = Buffer.from(out);
  return { line: `${code} ${output.length} ${errors}\n`, output };
}

/** Escapes text for `printf %b`, in one line of plain characters, of which `|` is none. */
function escapedForPrintf(text: string): string {
  const plain = /[\w .,:;/(){}[\]'"`=+@#-]/;
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return byte < 0x80 && plain.test(character) ? character : `\\0${byte.toString(8).padStart(3, "0")}`;
    })
    .join("");
}
