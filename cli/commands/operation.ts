import { Command, Option } from "commander";
import { didYouMean } from "../../core/protocol/nearest.ts";
import { connect } from "../connect/connect.ts";
import type { ParamRow } from "../parse/command-row.ts";
import { exitCodes, usageError } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { numberFrom } from "../parse/number-from.ts";
import type { OperationRow } from "../parse/operation-row.ts";
import { parseWith } from "../parse/parse-command.ts";
import { operationsOf } from "../parse/words.ts";
import { type Io, styleOf } from "../render/io.ts";
import { printed } from "../render/print-result.ts";

type Row = OperationRow & { readonly cli: NonNullable<OperationRow["cli"]> };

/** A word of the command line whose actions are operations, such as `sessions close`. Returns the exit code. */
export async function operationCommand(io: Io, word: string, words: readonly string[]): Promise<number> {
  const rows = operationsOf(word);
  const command = operationOptions(word, io.program);
  const help = parseWith(command, words);
  if (help !== undefined) {
    io.out.write(help);
    return exitCodes.ok;
  }
  const [row, args] = chosen(word, rows, command.args);
  const params = paramsOf(row, args, command, io.program);
  const globals = command.opts<Globals>();
  const client = await connect(io, globals);
  const result: unknown = await client.operation(row.name, params);
  io.out.write(await textOf(row, result, io, globals));
  return exitCodes.ok;
}

/** The parser of such a word, with its help. */
export function operationOptions(word: string, program: string): Command {
  const rows = operationsOf(word);
  const [first] = rows;
  const hasActions = first?.cli.action !== undefined;
  const command = new Command(word)
    .description(
      hasActions ? `${capital(word)}: ${rows.map(({ cli }) => cli.action).join(", ")}` : descriptionOf(first),
    )
    .usage(`${program} ${word}${hasActions ? " [action]" : ""} [options]`)
    .helpOption("-h, --help", "show this help")
    .configureHelp({ commandUsage: (shown) => shown.usage(), visibleArguments: () => [] })
    .argument("[words...]");
  const seen = new Set<string>();
  for (const { cli } of rows) {
    for (const param of cli.params.filter(({ byPosition }) => !byPosition)) {
      if (!seen.has(param.word)) command.addOption(optionOf(param, hasActions ? cli.action : undefined));
      seen.add(param.word);
    }
  }
  const examples = rows.flatMap(({ cli }) => cli.examples).map((example) => `  ${program} ${example}`);
  const shown = examples.length === 0 ? [`  ${program} ${word}`] : examples;
  command.addHelpText("after", `${hasActions ? actionsHelp(rows) : ""}\nExamples:\n${shown.join("\n")}`);
  const inSession = rows.some((row) => row.inSession && !row.cli.params.some(({ name }) => name === "session"));
  return addGlobals(command, { except: [...(inSession ? [] : ["session"]), "client"] });
}

/** The operation that the words mean, and its arguments. Throws a usage error for an action that there is not. */
function chosen(word: string, rows: readonly Row[], words: readonly string[]): [Row, readonly string[]] {
  const [only] = rows;
  if (only !== undefined && only.cli.action === undefined) return [only, words];
  const [name, ...args] = words;
  const row = rows.find(({ cli }) => (name === undefined ? cli.isDefault : cli.action === name));
  if (row !== undefined) return [row, args];
  const actions = rows.flatMap(({ cli }) => cli.action ?? []);
  if (name === undefined) throw usageError(`${word}: expected one of ${actions.join(", ")}.`);
  throw usageError(`${word}: no action ${JSON.stringify(name)}.${didYouMean(name, actions)}`);
}

function paramsOf(row: Row, args: readonly string[], command: Command, program: string): Record<string, unknown> {
  const { word, action } = row.cli;
  const byPosition = row.cli.params.filter((param) => param.byPosition);
  if (args.length !== byPosition.length) {
    throw usageError(`${word}: expected \`${program} ${usageOf(row)}\`; text with spaces in quotes.`);
  }
  const params: Record<string, unknown> = {};
  for (const [index, param] of byPosition.entries())
    params[param.name] = valueFrom(param, args[index] ?? "", param.word);
  for (const option of command.options) {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== "cli" || isGlobal(name)) continue;
    if (row.cli.params.some((param) => !param.byPosition && param.name === name))
      params[name] = command.getOptionValue(name);
    else throw usageError(`${word}: ${option.long} is not an option of \`${action}\`.`);
  }
  for (const { name, default: value, byPosition: given } of row.cli.params) {
    if (!given && value !== undefined) params[name] ??= value;
  }
  return params;
}

const GLOBALS: ReadonlySet<string> = new Set(addGlobals(new Command()).options.map((option) => option.attributeName()));

function isGlobal(name: string): boolean {
  return GLOBALS.has(name);
}

function optionOf(param: ParamRow, action: string | undefined): Option {
  const { word, kind, choices, default: value, nullable, description } = param;
  const more = [
    ...(action === undefined ? [] : [`${action}: `]),
    description,
    ...(nullable ? [", or none"] : []),
    ...(value === undefined || kind === "boolean" ? [] : [`; default: ${value}`]),
  ];
  const option = new Option(
    kind === "boolean" ? `--${word}` : `--${word} <${kind === "number" ? "number" : "text"}>`,
    more.join(""),
  );
  if (choices !== undefined) option.choices([...choices]);
  else if (kind !== "boolean") option.argParser((text: string) => valueFrom(param, text, `--${word}`));
  return option;
}

function valueFrom({ kind, nullable }: ParamRow, text: string, what: string): unknown {
  if (nullable && text === "none") return null;
  return kind === "number" ? numberFrom(text, what) : text;
}

async function textOf({ cli }: Row, result: unknown, io: Io, globals: Globals): Promise<string> {
  const style = styleOf(io, globals.json === true || (cli.shows !== undefined && !io.out.isTTY));
  const shown = cli.shows === undefined || style.json || !isRecord(result) ? undefined : result[cli.shows];
  return typeof shown === "string" ? `${shown}\n` : printed({}, result, style);
}

function actionsHelp(rows: readonly Row[]): string {
  const width = Math.max(...rows.map((row) => actionUsage(row).length));
  const lines = rows.map((row) => `  ${actionUsage(row).padEnd(width)}  ${row.summary}`);
  return `\nActions:\n${lines.join("\n")}\n`;
}

function actionUsage({ cli: { action = "", params } }: Row): string {
  return [action, ...params.filter(({ byPosition }) => byPosition).map(({ word }) => `<${word}>`)].join(" ").trim();
}

function usageOf(row: Row): string {
  return `${row.cli.word} ${actionUsage(row)}`.trim();
}

function descriptionOf(row: Row | undefined): string {
  return row === undefined ? "" : `${row.summary}. ${row.details}`.trim();
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
