import { type Command, Option } from "commander";
import { findRemoteName } from "../../client/find-relay.ts";
import { checkResult } from "../../client/service-error.ts";
import type { OperationName } from "../../core/operations/index.ts";
import type { ConversationPage } from "../../core/protocol/conversations.ts";
import { isRecord } from "../../core/protocol/json-value.ts";
import { didYouMean } from "../../core/protocol/nearest.ts";
import { connect } from "../connect/connect.ts";
import type { ParamRow } from "../parse/command-row.ts";
import { exitCodes, usageError } from "../parse/exit-codes.ts";
import { addGlobals, allMachinesOption, type Globals } from "../parse/global-options.ts";
import { withOptionNames } from "../parse/option-names.ts";
import { parseNumber } from "../parse/parse-number.ts";
import { printsHelp, withUsage, wordParser } from "../parse/word-parser.ts";
import { type CliOperationRow, operationsOf, wordSummary } from "../parse/words.ts";
import { escapeControls, escapeDirections } from "../render/cell.ts";
import { formatResult } from "../render/format-result.ts";
import { type Io, styleOf } from "../render/io.ts";
import { listIn } from "../render/listed.ts";
import { withProgramName } from "../render/program-name.ts";
import { safeOutput } from "../render/safe-output.ts";
import { resolvePaths } from "./resolve-paths.ts";
import { withStandardInput } from "./write-input.ts";

/** A word of the command line whose actions are operations, such as `sessions close`. Returns the exit code. */
export async function operationCommand(io: Io, word: string, words: readonly string[]): Promise<number> {
  const action = operationsOf(word).find(({ cli }) => cli.action !== undefined && cli.action === words[0])?.cli.action;
  const command = operationParser(word, io.program, action);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const { row, params } = operationIn(command, word);
  const { all = false, wait: state, test, follow = false, ...given } = command.opts<Globals & LocalOptions>();
  // With `--wait`, the timeout is that of the wait.
  const { timeout, ...others } = given;
  const globals: Globals = row.cli.awaits === undefined ? given : others;
  // An operation may have an option of this name itself.
  if (all && !row.cli.params.some(({ name }) => name === "all")) {
    if (!row.cli.allMachines) throw usageError(`--all is not an option of \`${commandName(row)}\`.`);
    return (await import("./all-machines.ts")).listEverywhere(io, globals, row, params);
  }
  const remote = findRemoteName({ ...globals, env: io.env })?.name;
  const input = await withStandardInput(io, row.cli.stdin, resolvePaths(row.cli, params, { cwd: io.cwd, remote }));
  const client = await connect(io, globals);
  if (test !== undefined) {
    if (row.name !== "getRedactions") throw usageError(`--test is not an option of \`${commandName(row)}\`.`);
    const { tryRedactions } = await import("./try-redactions.ts");
    await tryRedactions(io, client, test, styleOf(io, globals.json === true));
    return exitCodes.ok;
  }
  const sent =
    row.name === "answerQuestion"
      ? await (await import("./answer-question.ts")).withShownQuestion({ io, globals, client }, input)
      : input;
  const call = (given: Readonly<Record<string, unknown>>): Promise<unknown> =>
    client.askOperation(row.name, given).catch((error: unknown) => {
      throw withOptionNames(error, row.cli.params);
    });
  if (follow) {
    if (row.name !== "getConversation") throw usageError(`--follow is not an option of \`${commandName(row)}\`.`);
    const { followConversation } = await import("./follow-conversation.ts");
    const pageOf = async (given: Readonly<Record<string, unknown>>) => pageIn(await call(given), client.url);
    return followConversation(io, pageOf, sent, styleOf(io, globals.json === true));
  }
  const result =
    (row.name === "rerunCommand" || row.name === "resumeConversation") && sent.yes !== true
      ? await (await import("./rerun.ts")).rerunIfAgreed(io, { call, url: client.url }, sent)
      : await call(sent);
  const shown =
    row.cli.awaits === undefined
      ? result
      : await (await import("./await-receipt.ts")).awaitReceipt(client, result, { when: params.when, state, timeout });
  io.stdout.write(await formatOperationResult(row, shown, { io, globals, url: client.url }));
  return exitCodes.ok;
}

/**
 * Returns the operation that was parsed, and its parameters.
 *
 * @throws CliError with the usage, for an invalid command line
 */
export function operationIn(
  command: Command,
  word: string,
): { readonly row: CliOperationRow; readonly params: Readonly<Record<string, unknown>> } {
  return withUsage(command, () => {
    const [row, args] = chooseOperation(word, command.args);
    return { row, params: paramsOf(row, args, command) };
  });
}

/** Options of the command line itself. */
interface LocalOptions {
  readonly all?: boolean;
  readonly wait?: string;
  readonly test?: string;
  readonly follow?: boolean;
}

/** Returns the parser of such a word. With an action its help is about that action alone; it parses the same. */
export function operationParser(word: string, program: string, action?: string): Command {
  const rows = operationsOf(word);
  const shown = rows.filter(({ cli }) => action === undefined || cli.action === action);
  const [first] = shown;
  const command = wordParser(program, word, {
    ...(rows.length === 1 || action !== undefined
      ? { description: descriptionOf(first), usage: actionUsage(first) }
      : {
          description: `${capitalized(wordSummary(word))}.`,
          usage: rows.some(({ cli }) => cli.isDefault) ? "[action] [options]" : "<action> [options]",
          actions: rows.map((row) => [usageWords(row), summaryOf(row)]),
        }),
    examples: examplesOf(word, shown),
  });
  if (command.registeredArguments.length === 0) command.argument("[words...]");
  const everywhere = rows.flatMap(({ cli }) => (cli.allMachines ? [cli.action ?? ""] : []));
  for (const [param, actions] of optionsOf(rows)) {
    // One action may have an option of its own by the name that asks every machine in another.
    if (param.name === "all" && action !== undefined && everywhere.includes(action)) continue;
    const option = optionOf(param);
    const ofAction = action !== undefined && actions.includes(action);
    if (action !== undefined && !ofAction) option.hideHelp();
    command.addOption(actions.length === 0 || ofAction ? option : option.helpGroup(`Options of ${listOf(actions)}:`));
  }
  if (everywhere.length > 0) addAllOption(command, everywhere, action);
  const awaits = rows.flatMap(({ cli }) => cli.awaits ?? []);
  if (awaits.length > 0) addAwaitOptions(command, awaits);
  for (const { name, cli } of shown) addOwnOption(command, name, action === undefined ? cli.action : undefined);
  const inSession = shown.some((row) => row.inSession && !row.cli.params.some(({ name }) => name === "session"));
  return addGlobals(command, {
    except: [...(inSession ? [] : ["session"]), ...(awaits.length > 0 ? ["timeout"] : []), "client"],
  });
}

/** @param everywhere the actions that can ask every machine */
function addAllOption(command: Command, everywhere: readonly string[], action: string | undefined): void {
  if (command.options.some(({ long }) => long === "--all")) return;
  const option = allMachinesOption();
  const actions = everywhere.filter((one) => one !== "");
  if (action !== undefined && !actions.includes(action)) option.hideHelp();
  const isGrouped = action === undefined && actions.length > 0;
  command.addOption(isGrouped ? option.helpGroup(`Options of ${listOf(actions)}:`) : option);
}

function addAwaitOptions(command: Command, awaits: readonly string[]): void {
  command
    .addOption(new Option("--wait <state>", "answer when the prompt has reached this state").choices(awaits))
    .addOption(
      new Option("--timeout <seconds>", "with --wait: seconds to wait at most (default: 60)").argParser(
        (text: string) => parseNumber(text, "--timeout"),
      ),
    );
}

/** The options of the command line itself that belong to one operation. */
const ownOptions: Partial<Record<OperationName, readonly [flags: string, description: string]>> = {
  getRedactions: ["--test <file>", "list what would be hidden in a file, or with `-` in the standard input"],
  getConversation: ["--follow", "go on with each message when it is said, until Ctrl-C"],
};

/** @param group the action under whose options it stands, where those of several are listed */
function addOwnOption(command: Command, name: OperationName, group: string | undefined): void {
  const own = ownOptions[name];
  if (own === undefined) return;
  const option = new Option(...own);
  command.addOption(group === undefined ? option : option.helpGroup(`Options of ${group}:`));
}

/** Every option of the operations once, with the actions that take it. */
function optionsOf(rows: readonly CliOperationRow[]): Iterable<[ParamRow, string[]]> {
  const options = new Map<string, [ParamRow, string[]]>();
  for (const { cli } of rows) {
    for (const param of cli.params.filter(({ byPosition }) => !byPosition)) {
      const known = options.get(param.word) ?? [param, []];
      options.set(param.word, [known[0], [...known[1], ...(cli.action === undefined ? [] : [cli.action])]]);
    }
  }
  return options.values();
}

/** @throws CliError for an action that does not exist */
function chooseOperation(word: string, words: readonly string[]): [CliOperationRow, readonly string[]] {
  const rows = operationsOf(word);
  const [only] = rows;
  if (only !== undefined && only.cli.action === undefined) return [only, words];
  const [name, ...args] = words;
  const row = rows.find(({ cli }) => (name === undefined ? cli.isDefault : cli.action === name));
  if (row !== undefined) return [row, args];
  // A word that is no action is an argument of the default one.
  const taking = rows.find(({ cli }) => cli.isDefault && cli.params.some(({ byPosition }) => byPosition));
  if (taking !== undefined) return [taking, words];
  const actions = rows.flatMap(({ cli }) => cli.action ?? []);
  if (name === undefined) throw usageError(`${word}: expected one of ${actions.join(", ")}.`);
  throw usageError(`${word}: no action ${JSON.stringify(name)}.${didYouMean(name, actions)}`);
}

/** @throws CliError for a wrong number of arguments, and for an option of another action */
function paramsOf(row: CliOperationRow, args: readonly string[], command: Command): Record<string, unknown> {
  const { word, params: declared } = row.cli;
  const name = commandName(row);
  const positionals = takenPositionals(declared, args.length);
  const missing = positionals[args.length];
  if (missing?.required) throw usageError(`${name}: ${missing.word} is missing.`);
  const extra = args[positionals.length];
  if (extra !== undefined) {
    throw usageError(`${name}: unexpected argument ${JSON.stringify(extra)}; put text with spaces in quotes.`);
  }
  const ofWord = new Set([...optionsOf(operationsOf(word))].map(([param]) => param.name));
  const params: Record<string, unknown> = {};
  for (const [index, param] of positionals.slice(0, args.length).entries()) {
    params[param.name] = parseValue(param, args[index] ?? "", param.word);
  }
  for (const option of command.options) {
    const key = option.attributeName();
    if (command.getOptionValueSource(key) !== "cli" || !ofWord.has(key)) continue;
    const param = declared.find((candidate) => !candidate.byPosition && candidate.name === key);
    if (key === "all" && row.cli.allMachines === true) continue;
    if (param === undefined) throw usageError(`${option.long} is not an option of \`${name}\`.`);
    const value: unknown = command.getOptionValue(key);
    // Parsed here, because commander turns a null of its own parsers into an empty text.
    params[key] = typeof value === "string" ? parseValue(param, value, `--${param.word}`) : value;
  }
  for (const { name: key, default: value, byPosition } of declared) {
    if (!byPosition && value !== undefined && !(key in params)) params[key] = value;
  }
  return params;
}

/** Returns the arguments that so many words are for: an optional one takes a word only if the required ones have theirs. */
function takenPositionals(declared: readonly ParamRow[], words: number): ParamRow[] {
  const all = declared.filter(({ byPosition }) => byPosition);
  let spare = words - all.filter(({ required }) => required).length;
  const taken = all.filter(({ required }) => required || spare-- > 0);
  return words > taken.length ? all : taken;
}

function optionOf(param: ParamRow): Option {
  const { word, kind, choices, default: value, nullable, description } = param;
  if (kind === "boolean") {
    return value === true ? new Option(`--no-${word}`, `do not ${description}`) : new Option(`--${word}`, description);
  }
  const hints = [nullable ? "; or none" : "", value === undefined || value === "" ? "" : `; default: ${value}`];
  const option = new Option(`--${word} <${kind === "number" ? "number" : "text"}>`, description + hints.join(""));
  return choices === undefined ? option : option.choices(choices);
}

/** `what` names the value as the user wrote it. */
function parseValue({ kind, nullable, choices }: ParamRow, text: string, what: string): unknown {
  if (nullable && text === "none") return null;
  if (kind === "words") return text.split(",").map((part) => part.trim());
  if (choices !== undefined && !choices.includes(text)) {
    throw usageError(`${what}: expected one of ${choices.join(", ")}, got ${JSON.stringify(text)}.`);
  }
  return kind === "number" ? parseNumber(text, what) : text;
}

async function formatOperationResult(
  { name, cli }: CliOperationRow,
  result: unknown,
  { io, globals, url }: { readonly io: Io; readonly globals: Globals; readonly url: string },
): Promise<string> {
  const style = styleOf(io, globals.json === true);
  const isAlone = (style.isTTY || cli.isFile === true) && !style.json;
  const field = isAlone && isRecord(result) ? result[cli.shows ?? ""] : undefined;
  if (typeof field === "string") return (style.isTTY ? shownAlone(field, cli) : field).replace(/\n?$/, "\n");
  if (name === "getConversation" && isAlone) {
    const { conversationText } = await import("../render/conversation-text.ts");
    return conversationText(await pageIn(result, url), style);
  }
  const order = cli.columns === undefined ? {} : { columns: cli.columns };
  // The list alone, also as JSON: scripts read it.
  const { list, notice } = listIn(result, cli.rows);
  if (notice !== undefined) io.stderr.write(`${io.program}: ${withProgramName(notice, io.program)}\n`);
  return formatResult(order, list, style);
}

/** Returns a field as a terminal shows it: the output of programs with its lines and colours, also in a conversation, anything else as one line. */
function shownAlone(field: string, { shows, isFile }: CliOperationRow["cli"]): string {
  const isPrinted = shows === "output" || shows === "text" || isFile === true;
  return isPrinted ? escapeDirections(safeOutput(field)) : escapeControls(field);
}

/** Returns a result of `getConversation` as a page. @throws RemoteError for one that no relay gives */
async function pageIn(result: unknown, url: string): Promise<ConversationPage> {
  return checkResult((await import("../../core/protocol/conversations.ts")).ConversationPage, result, url);
}

/** `sessions close`. */
function commandName({ cli: { word, action } }: CliOperationRow): string {
  return action === undefined ? word : `${word} ${action}`;
}

/** `rename <session> <name>`. */
function usageWords({ cli: { action, params } }: CliOperationRow): string {
  const args = params
    .filter(({ byPosition }) => byPosition)
    .map(({ word, required }) => (required ? `<${word}>` : `[${word}]`));
  return [...(action === undefined ? [] : [action]), ...args].join(" ");
}

function actionUsage(row: CliOperationRow | undefined): string {
  return `${row === undefined ? "" : usageWords(row)} [options]`.trim();
}

function summaryOf({ summary, cli }: CliOperationRow): string {
  return cli.isDefault ? `${summary} (default)` : summary;
}

function descriptionOf(row: CliOperationRow | undefined): string {
  return row === undefined ? "" : `${row.summary}.\n\n${row.details}`.trim();
}

/** The declared examples, else the shortest command line. */
function examplesOf(word: string, rows: readonly CliOperationRow[]): readonly string[] {
  const declared = rows.flatMap(({ cli }) => cli.examples);
  const [first] = rows;
  return declared.length > 0 || first === undefined ? declared : [`${word} ${usageWords(first)}`.trim()];
}

/** `list, create and revoke`. */
function listOf(words: readonly string[]): string {
  const [last = "", ...others] = words.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} and ${last}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
