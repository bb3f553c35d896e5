import { findRemoteName } from "../../client/find-relay.ts";
import type { CallHit, RemoteClient } from "../../client/remote-client.ts";
import { connect } from "../connect/connect.ts";
import type { CommandRow } from "../parse/command-row.ts";
import { commandNamed } from "../parse/command-table.ts";
import { exitCodes, usageError } from "../parse/exit-codes.ts";
import { type Globals, globalOptions } from "../parse/global-options.ts";
import { withOptionNames } from "../parse/option-names.ts";
import { type ParsedCommand, parseCommand } from "../parse/parse-command.ts";
import { didYouMeanLine } from "../parse/suggest-lines.ts";
import { escapeControls } from "../render/cell.ts";
import { formatResult } from "../render/format-result.ts";
import { type Io, type Style, styleOf } from "../render/io.ts";
import { resolvePaths } from "./resolve-paths.ts";
import { withStandardInput } from "./write-input.ts";

/** `service func <command> …`: one remote command. Returns the exit code. */
export async function funcCommand(io: Io, words: readonly string[]): Promise<number> {
  const { name, before, rest } = splitCommandWords(words);
  if (name === undefined || name === "help") {
    const { funcHelp } = await import("../help/help.ts");
    const isAsked = name === "help" || words.some((word) => word === "--help" || word === "-h");
    if (!isAsked) {
      io.stderr.write(funcHelp(io.program));
      return exitCodes.usage;
    }
    const [topic] = rest.filter((word) => !word.startsWith("-"));
    if (name === "help" && topic !== undefined) return funcCommand(io, [topic, "--help"]);
    io.stdout.write(funcHelp(io.program));
    return exitCodes.ok;
  }
  if (name === "events") return (await import("./events.ts")).eventsCommand(io, [...before, ...rest]);
  const row = commandNamed(name);
  if (row === undefined) {
    const hint = didYouMeanLine(io.program, name);
    throw usageError(`no command ${JSON.stringify(name)}.${hint} See \`${io.program} func --help\`.`);
  }
  return run(io, row, { before, rest });
}

async function run(io: Io, row: CommandRow, words: Omit<CommandWords, "name">): Promise<number> {
  const parsed = parseCommand(row, words, io.program);
  if (typeof parsed === "string") {
    io.stdout.write(parsed);
    return exitCodes.ok;
  }
  const { globals, local = {} } = parsed;
  const style = { ...styleOf(io, globals.json === true), raw: local.raw === true };
  if (globals.format !== undefined) {
    (await import("../render/template.ts")).checkTemplate(globals.format, fieldsOf(row, globals), row.name);
  }
  const remote = findRemoteName({ ...globals, env: io.env })?.name;
  const resolved = resolvePaths(row, parsed.params, { cwd: io.cwd, remote });
  const file = fileOf(row, parsed);
  const readsInput = file === "-" || (row.stdin !== undefined && resolved[row.stdin] === "-");
  if (readsInput && globals.token === "-") {
    throw usageError("--token - and the data both read the standard input: give the key with --token @FILE.");
  }
  const params = row.stdin === undefined ? resolved : await withStandardInput(io, row.stdin, resolved);
  const client = await connect(io, globals, row);
  if (local.follow === true) return (await import("./follow-output.ts")).followOutput(io, client, params, style);
  const answer = await sendCommand(io, client, row, { params, file }).catch((error: unknown) => {
    throw withOptionNames(error, row.params);
  });
  if (globals.format !== undefined) {
    const [{ formatByTemplate: formatted }, { addIdle: withIdle }] = await Promise.all([
      import("../render/template.ts"),
      import("../render/add-idle.ts"),
    ]);
    io.stdout.write(formatted(globals.format, withIdle(answer.result)));
    return exitCodes.ok;
  }
  if (row.print === "tree" && !style.json) {
    const { showTree } = await import("./show-tree.ts");
    io.stdout.write(await showTree(client, answer, style));
    return exitCodes.ok;
  }
  io.stdout.write(await formatResult(row, answer.result, style));
  printMissed(io, answer.result, style);
  printNotice(io, answer.result, style);
  return row.print === "output" ? exitCodeOfResult(answer.result) : exitCodes.ok;
}

/** The fields that `--format` takes: the result's, the age of a time of activity, and the client where it is one of all. */
function fieldsOf({ fields }: CommandRow, { client }: Globals): readonly string[] {
  const idle = fields.includes("activeAt") ? ["idle"] : [];
  return [...fields, ...idle, ...(client === "all" ? ["clientId", "error", "message"] : [])];
}

/** The file that the data comes from; `-` is the standard input. */
function fileOf(row: CommandRow, { params, local = {} }: ParsedCommand): string | undefined {
  const takesFile = row.local?.some(({ name }) => name === "file") === true;
  return takesFile ? (local.file ?? (params.data === "-" ? "-" : undefined)) : undefined;
}

/** Calls the relay: once, or several times for data from a file and for a command that can be interrupted. */
async function sendCommand(
  io: Io,
  client: RemoteClient,
  row: CommandRow,
  { params, file }: Pick<ParsedCommand, "params"> & { readonly file: string | undefined },
): Promise<{ result: unknown; hit: CallHit }> {
  if (file !== undefined) return (await import("./write-input.ts")).writeInput(io, client, params, file);
  const waits = row.method === "runCommand" && params.wait === true;
  if (waits && io.stdout.isTTY && io.onInterrupt !== undefined) {
    return (await import("./interruptible-run.ts")).runInterruptibly(io, client, params, io.onInterrupt);
  }
  return client.ask(row.method, params);
}

interface CommandWords {
  readonly name: string | undefined;
  readonly before: readonly string[];
  readonly rest: readonly string[];
}

/** Splits the words at the command's name: the first one that is not an option of every command. */
export function splitCommandWords(words: readonly string[]): CommandWords {
  const withValue = new Set(globalOptions.filter(({ flags }) => flags.includes("<")).map(({ name }) => `--${name}`));
  let index = 0;
  while (index < words.length && words[index]?.startsWith("-") === true) {
    index += withValue.has(words[index] ?? "") ? 2 : 1;
  }
  return { name: words[index], before: words.slice(0, index), rest: words.slice(index + 1) };
}

/** The exit code of a command that was waited for; one that ended without a code counts as failed. */
function exitCodeOfResult(result: unknown): number {
  if (typeof result !== "object" || result === null || !("exitCode" in result)) return exitCodes.ok;
  const { exitCode } = result;
  return typeof exitCode === "number" && Number.isInteger(exitCode) ? exitCode : exitCodes.refused;
}

/** Prints what the user should know besides the result. */
function printNotice(io: Io, result: unknown, { json: asJson }: Style): void {
  const notice = typeof result === "object" && result !== null && "notice" in result ? result.notice : undefined;
  if (typeof notice === "string" && !asJson) io.stderr.write(`${io.program}: ${escapeControls(notice)}\n`);
}

function printMissed(io: Io, result: unknown, { json: asJson }: Style): void {
  const missed = typeof result === "object" && result !== null && "missed" in result ? result.missed : 0;
  if (typeof missed === "number" && missed > 0 && !asJson)
    io.stderr.write(`${io.program}: ${missed} bytes before this are no longer kept.\n`);
}
