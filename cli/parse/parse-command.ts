import { Command, CommanderError, Option } from "commander";
import type { Alternative } from "../../core/commands/command.ts";
import type { CommandRow, ParamRow } from "./command-row.ts";
import { CliError, usageError } from "./exit-codes.ts";
import { addGlobals, type Globals, globalOptions } from "./global-options.ts";
import { parseNumber } from "./parse-number.ts";
import { shellWords } from "./shell-words.ts";

/** A parsed command line. */
export interface ParsedCommand {
  readonly params: Readonly<Record<string, unknown>>;
  readonly globals: Globals;
  /** Options that the command line executes itself. */
  readonly local?: LocalOptions;
}

interface LocalOptions {
  readonly file?: string;
  readonly follow?: boolean;
  readonly raw?: boolean;
}

interface CommandWords {
  /** Options before the command's name: always those of every command, whatever the command's own are called. */
  readonly before?: readonly string[];
  /** The words after it. */
  readonly rest: readonly string[];
}

/** Parses the words around a command's name. Returns the help text for `--help`. @throws CliError for an invalid command line */
export function parseCommand(
  row: CommandRow,
  { before = [], rest }: CommandWords,
  program: string,
): ParsedCommand | string {
  const command = parserOf(row, program);
  const shared = addGlobals(new Command("func").helpOption(false), { results: true });
  const help = parseWith(shared, before) ?? parseRest(row, command, rest);
  if (help !== undefined) return help;
  const given = new Map(
    Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === "cli"),
  );
  const own = row.params.filter((param) => !param.byPosition);
  const local = (row.local ?? []).filter(({ name }) => given.has(name));
  const params: Record<string, unknown> = { ...row.preset };
  for (const { name, required, word } of own) {
    if (given.has(name)) params[name] = given.get(name);
    else if (required) throw usageError(`${row.name}: the option --${word} is missing. ${usageHint(row, program)}`);
  }
  // After the program's own option, words are its arguments.
  if (row.tail !== undefined && params[row.tail] === undefined) refuseStray(row, command, { rest, program });
  const tail = row.tail === undefined ? undefined : programWords(row.tail, params[row.tail], command.args);
  if (row.tail !== undefined && tail !== undefined) params[row.tail] = tail;
  const { client, ...positional } = assignWords(row, row.tail === undefined ? command.args : [], { program, given });
  const globals = Object.fromEntries(
    [...given].filter(([name]) => globalOptions.some((option) => option.name === name) && !(name in params)),
  );
  return {
    params: { ...params, ...positional },
    globals: { ...shared.opts<Globals>(), ...globals, ...(client === undefined ? {} : { client }) },
    ...(local.length === 0 ? {} : { local: Object.fromEntries(local.map(({ name }) => [name, given.get(name)])) }),
  };
}

function parseRest(row: CommandRow, command: Command, rest: readonly string[]): string | undefined {
  try {
    return parseWith(command, rest);
  } catch (error) {
    if (row.tail === undefined || !(error instanceof CliError) || !error.message.includes("unknown option"))
      throw error;
    throw usageError(`${error.message}; options of the program itself come after --.`);
  }
}

/** Refuses words before `--`: who means a tile or a folder would start a program of that name. */
function refuseStray(
  row: CommandRow,
  command: Command,
  { rest, program }: { rest: readonly string[]; program: string },
): void {
  const end = rest.indexOf("--");
  const after = end === -1 ? [] : rest.slice(end + 1);
  const [stray] = command.args.slice(0, Math.max(0, command.args.length - after.length));
  if (stray === undefined) return;
  const takes = (name: string) => row.params.some((param) => param.name === name);
  const meant = [
    `\`-- ${stray}\` for a program`,
    ...(takes("tile") && /^\d+$/.test(stray) ? [`\`--tile ${stray}\``] : []),
    ...(takes("cwd") && !/^\d+$/.test(stray) ? [`\`--cwd ${stray}\``] : []),
  ];
  throw usageError(
    `${row.name}: unexpected argument ${JSON.stringify(stray)}. Did you mean ${meant.join(" or ")}? ${usageHint(row, program)}`,
  );
}

/** The words of a program: those of its option, split as a shell does; with words after it, the option is the first one. */
function programWords(name: string, option: unknown, words: readonly string[]): string[] | undefined {
  if (words.length > 0) return typeof option === "string" ? [option, ...words] : [...words];
  return typeof option === "string" ? shellWords(option, `--${name}`) : undefined;
}

/** `Usage: service func set-ratio [options] <ratio>` without the first word. */
export function usageLine(row: CommandRow, program: string): string {
  const tail = row.tail === undefined ? [] : ["[-- program args…]"];
  const dots = row.rest && row.params.some(({ byPosition, kind }) => byPosition && kind === "words") ? "…" : "";
  const places = positionalsOf(row).map((place) => positionalUsage(place, row));
  return [`${program} func`, row.name, "[options]", ...places, ...tail].join(" ") + dots;
}

/** Runs commander over the words. Returns its help text when `--help` is among them. */
export function parseWith(command: Command, words: readonly string[]): string | undefined {
  const help: string[] = [];
  command.exitOverride().configureOutput({ writeOut: (text) => void help.push(text), writeErr: () => {} });
  try {
    command.parse(words, { from: "user" });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return help.join("");
    const extra = command.args[command.registeredArguments.length];
    const message =
      error.code === "commander.excessArguments" && extra !== undefined
        ? `unexpected argument ${JSON.stringify(extra)}`
        : error.message.replace(/^error: /, "").replace(/\n/, " ");
    throw usageError(`${command.name()}: ${message}`);
  }
}

/** Returns the parser of a command, with its help. */
export function parserOf(row: CommandRow, program: string): Command {
  const command = new Command(row.name)
    .description([`${row.summary}.`, row.details, row.note].filter((text) => text !== undefined).join("\n\n"))
    .helpOption("-h, --help", "show this help")
    .usage(usageLine(row, program))
    .allowExcessArguments();
  // The usage is complete; commander would put the name before it.
  command.configureHelp({ commandUsage: (shown) => shown.usage() });
  for (const place of positionalsOf(row)) command.argument(`[${place.word}]`, describe(place));
  for (const param of [...row.params, ...(row.local ?? [])]) if (!param.byPosition) command.addOption(optionFor(param));
  addGlobals(command, {
    results: true,
    except: row.params.filter((param) => !param.byPosition).map((param) => param.name),
  });
  const fields = row.fields.filter((field) => !/[.*]/.test(field));
  if (fields.length > 0) command.addHelpText("after", `\nFields for --format: ${fields.join(", ")}`);
  if (row.examples.length > 0) {
    const lines = row.examples.map((example) => `  ${program} func ${example}`);
    command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
  }
  return command;
}

function optionFor(param: ParamRow): Option {
  const flag = `--${param.kind === "boolean" && param.default === true ? "no-" : ""}${param.word}`;
  switch (param.kind) {
    case "boolean":
      return new Option(flag, param.default === true ? negated(param) : param.description);
    case "number":
      return new Option(`${flag} <number>`, describe(param)).argParser((text: string) =>
        parseNumber(text, `--${param.word}`),
      );
    case "words":
      return new Option(`${flag} <line>`, describe(param));
    case "pairs":
      return new Option(`${flag} <name=value>`, `${describe(param)}; may be repeated`).argParser(
        (text: string, before?: Readonly<Record<string, string>>) => ({ ...before, ...parsePair(text, param) }),
      );
    case "json":
      return new Option(`${flag} <json>`, describe(param)).argParser((text: string) => parseJson(text, param));
    case "path":
      return new Option(`${flag} <path>`, describe(param));
    case "text": {
      const option = new Option(`${flag} <text>`, describe(param));
      return param.choices === undefined ? option : option.choices(param.choices);
    }
  }
}

/** The parameters by position: the client, where the spelling has it so, then the arguments. */
function positionalsOf(row: CommandRow): ParamRow[] {
  const client: ParamRow[] =
    row.clientArg === undefined
      ? []
      : [
          {
            name: "client",
            word: row.clientArg,
            byPosition: true,
            required: true,
            kind: "number",
            description: "id of the client, from list-users",
          },
        ];
  return [...client, ...row.params.filter((param) => param.byPosition)];
}

/** An optional argument takes a word only when more words are left than the required ones need. */
function assignWords(
  row: CommandRow,
  words: readonly string[],
  { program, given }: { program: string; given: ReadonlyMap<string, unknown> },
): { [name: string]: unknown } & { client?: number } {
  const places = positionalsOf(row).filter(({ name }) => !isGivenByOption(row, name, given));
  const assigned: Record<string, unknown> = {};
  let taken = 0;
  for (const [index, place] of places.entries()) {
    const needed = places.slice(index).filter((later) => later.required).length;
    const left = words.length - taken;
    if (place.required && left === 0)
      throw usageError(`${row.name}: ${place.word} is missing. ${usageHint(row, program)}`);
    if (!place.required && left <= needed) continue;
    // Before any number of words, it takes only a number.
    if (!place.required && row.rest && place.kind === "number" && !/^\d+$/.test(words[taken] ?? "")) continue;
    const last = row.rest && index === places.length - 1;
    const own = last ? words.slice(taken) : words.slice(taken, taken + 1);
    taken += own.length;
    const other = alternativeFor(row, place, own[0] ?? "");
    if (other !== undefined)
      assigned[other.param] = other.form === "signed" ? parseNumber(own[0] ?? "", place.word) : own[0];
    else assigned[place.name] = place.kind === "words" ? own : parseValue(own.join(" "), place);
  }
  const extra = words[taken];
  if (extra === undefined) return assigned;
  throw usageError(
    `${row.name}: one word too many, ${JSON.stringify(extra)}; put text with spaces in quotes. ${usageHint(row, program)}`,
  );
}

/** Options that replace the argument of a name, in every command that has both. */
const COMMON_ALTERNATIVES: Readonly<Record<string, string>> = { id: "match", data: "file" };

/** Whether an option replaces the argument at this position. */
function isGivenByOption(row: CommandRow, name: string, given: ReadonlyMap<string, unknown>): boolean {
  const { param = COMMON_ALTERNATIVES[name], also = [] } = row.instead?.[name] ?? {};
  return [param, ...also].some((other) => other !== undefined && given.has(other));
}

function alternativeFor({ instead }: CommandRow, { name }: ParamRow, word: string): Alternative | undefined {
  const other = instead?.[name];
  if (other?.form === undefined) return undefined;
  // A share is below 1, so that a whole number stays the mistake that it is.
  const fits = other.form === "signed" ? /^[+-]0?\.\d+$/.test(word) : !/^-?\d+(\.\d*)?$/.test(word);
  return fits ? other : undefined;
}

function parsePair(text: string, { word }: ParamRow): Readonly<Record<string, string>> {
  const at = text.indexOf("=");
  if (at > 0) return { [text.slice(0, at)]: text.slice(at + 1) };
  throw usageError(`--${word}: expected NAME=VALUE, got ${JSON.stringify(text.slice(0, 60))}.`);
}

function parseValue(text: string, place: ParamRow): unknown {
  if (place.kind === "number") return parseNumber(text, place.word);
  if (place.kind === "json") return parseJson(text, place);
  if (place.choices !== undefined && !place.choices.includes(text)) {
    throw usageError(`${place.word}: expected one of ${place.choices.join(", ")}, got ${JSON.stringify(text)}.`);
  }
  return text;
}

function parseJson(text: string, { word, byPosition }: ParamRow): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const what = byPosition ? word : `--${word}`;
    throw usageError(`${what}: expected JSON, for example '{"ok":true}', got ${JSON.stringify(text)}.`);
  }
}

function usageHint(row: CommandRow, program: string): string {
  return `Usage: ${usageLine(row, program)}`;
}

function positionalUsage({ word, required, name }: ParamRow, { rest, params }: CommandRow): string {
  const last = params.filter((param) => param.byPosition).at(-1);
  const text = rest && name === last?.name ? `${word}...` : word;
  return required ? `<${text}>` : `[${text}]`;
}

function describe({ description, default: fallback, choices, byPosition }: ParamRow): string {
  const more = [
    // commander lists the choices of options itself.
    byPosition && choices !== undefined ? `choices: ${choices.join(", ")}` : "",
    fallback === undefined || description.includes("default:") ? "" : `default: ${fallback}`,
  ].filter((text) => text !== "");
  return more.length === 0 ? description : `${description} (${more.join("; ")})`;
}

function negated({ description }: ParamRow): string {
  return `do not ${description}`;
}
