import { type Command, Option } from "commander";
import { askMachines, findMachines } from "../../client/ask-machines.ts";
import { checkLocalAccess } from "../../client/check-local-access.ts";
import { findRemote } from "../../client/find-relay.ts";
import { type Health, readHealth, userOf } from "../../client/remote-machine.ts";
import { newRemoteId, RemoteExistsError, Remotes, remoteKeyAccount } from "../../client/remotes.ts";
import { errorText } from "../../core/protocol/error-text.ts";
import { RemoteName, type RemoteRecord, remoteTokenVariable } from "../../core/protocol/machines.ts";
import { didYouMean } from "../../core/protocol/nearest.ts";
import { dataFolder } from "../../main/system/folders.ts";
import { openKeyEntry } from "../connect/keychain.ts";
import { warnOfDamaged } from "../machines/print-machines.ts";
import { chooseCertificate, getKey, parseRemoteUrl } from "../machines/register-remote.ts";
import { CliError, exitCodes, usageError } from "../parse/exit-codes.ts";
import { printsHelp, withUsage, wordParser } from "../parse/word-parser.ts";
import { escapeControls } from "../render/cell.ts";
import { formatResult } from "../render/format-result.ts";
import { type Io, styleOf } from "../render/io.ts";

interface RemotesOptions {
  readonly url?: string;
  readonly fingerprint?: string;
  readonly key?: true;
  readonly login?: true;
  readonly json?: true;
  readonly data?: string;
}

interface Action {
  readonly usage: string;
  readonly summary: string;
  /** How many arguments it takes. */
  readonly args: number;
  /** Options of its own. */
  readonly options: readonly (keyof RemotesOptions)[];
  /** It changes what the user keeps, which a restricted shell may not. */
  readonly changes: boolean;
  readonly run: (context: Context, args: readonly string[]) => Promise<void> | void;
}

interface Context {
  readonly io: Io;
  readonly options: RemotesOptions;
  readonly remotes: Remotes;
}

const actions: Readonly<Record<string, Action>> = {
  list: {
    usage: "list",
    summary: "list the remotes: whether each is there, since when it is away, its key, its version (default)",
    args: 0,
    options: ["json"],
    changes: false,
    run: list,
  },
  add: {
    usage: "add <name> --url <address>",
    summary: "add a relay of another machine; its API key is asked for, or read from the standard input",
    args: 1,
    options: ["url", "fingerprint", "login"],
    changes: true,
    run: add,
  },
  update: {
    usage: "update <name>",
    summary: "give a remote another address, certificate or key",
    args: 1,
    options: ["url", "fingerprint", "key", "login"],
    changes: true,
    run: update,
  },
  rename: {
    usage: "rename <name> <new-name>",
    summary: "rename a remote",
    args: 2,
    options: [],
    changes: true,
    run: rename,
  },
  remove: {
    usage: "remove <name>",
    summary: "remove a remote, and its key from the keychain",
    args: 1,
    options: [],
    changes: true,
    run: remove,
  },
};

/** Prints the names alone, for completion. */
const NAMES = "names";

export const remoteActions = Object.keys(actions);

/** `service remotes`: the relays of other machines that `--on` and `--all` use. Returns the exit code. */
export async function remotesCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = remotesParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const options = command.opts<RemotesOptions>();
  const remotes = new Remotes(dataFolder(options.data, io.env));
  if (command.args[0] === NAMES) {
    for (const name of remotes.names()) io.stdout.write(`${name}\n`);
    return exitCodes.ok;
  }
  const [action, args] = withUsage(command, () => chooseAction(command.args, options));
  if (action.changes) await checkLocalAccess(io.env, { data: options.data });
  await action.run({ io, options, remotes }, args);
  return exitCodes.ok;
}

export function remotesParser(program: string): Command {
  const of = (names: string, flags: string, description: string) =>
    new Option(flags, description).helpGroup(`Options of ${names}:`);
  return wordParser(program, "remotes", {
    description: "Relays of other machines: `--on NAME` sends a command to one, `--all` asks them all.",
    usage: "[action] [options]",
    actions: Object.values(actions).map(({ usage, summary }) => [usage, summary]),
    examples: [
      "remotes",
      "remotes add build-box --url https://192.0.2.7:7718",
      "remotes add pi --url http://127.0.0.1:7801 --login",
      "sessions --on build-box",
    ],
  })
    .addOption(of("add and update", "--url <address>", "address of the relay: https, or http on 127.0.0.1"))
    .addOption(
      of(
        "add and update",
        "--fingerprint <sha256>",
        "fingerprint of its certificate, which the relay printed at its start",
      ),
    )
    .addOption(of("add and update", "--login", "get the key by a login that the user of the other machine allows"))
    .addOption(of("update", "--key", "ask for another API key"))
    .addOption(of("list", "--json", "print JSON, also on a terminal"))
    .option(
      "--data <folder>",
      "data folder that keeps the remotes; default: PATCHBAY_DATA, else the platform's default",
    );
}

/** @throws CliError for words that are no action with its arguments and options */
function chooseAction(
  [name = "list", ...args]: readonly string[],
  options: RemotesOptions,
): [Action, readonly string[]] {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) {
    throw usageError(`remotes: no action ${JSON.stringify(name)}.${didYouMean(name, remoteActions)}`);
  }
  if (args.length !== action.args) throw usageError(`remotes ${name}: expected \`remotes ${action.usage}\`.`);
  const known = [...action.options, "data"];
  const extra = Object.keys(options).find((option) => !known.includes(option));
  if (extra !== undefined) throw usageError(`--${extra} is not an option of \`remotes ${name}\`.`);
  return [action, args];
}

async function list({ io, options }: Context): Promise<void> {
  const { machines, damaged } = findMachines({ env: io.env, data: options.data, local: false });
  const answers = await askMachines(machines, userOf);
  const rows = answers.map(({ value, ...report }) => ({
    ...report,
    ...(value === undefined ? {} : { user: value }),
  }));
  const order = { columns: ["machine", "state", "key", "awaySince", "version", "user", "url", "problem"] };
  io.stdout.write(await formatResult(order, rows, styleOf(io, options.json === true)));
  warnOfDamaged(io, damaged);
}

async function add({ io, options, remotes }: Context, [name = ""]: readonly string[]): Promise<void> {
  checkNewName(remotes, name);
  if (options.url === undefined) throw usageError("remotes add needs --url ADDRESS.");
  const url = parseRemoteUrl(options.url);
  const certificate = await chooseCertificate(io, { name, url, fingerprint: options.fingerprint });
  const record = recordOf({ id: newRemoteId(), url, certificate, addedAt: new Date().toISOString() });
  const health = await readHealth(url, { name, certificate });
  const { key, entry, user } = await getKey(io, name, record, { login: options.login === true });
  claim(() => remotes.add(name, record));
  try {
    await entry?.set(key);
  } catch (cause) {
    remotes.remove(name);
    throw notKept(cause);
  }
  report(io, `Added ${name}`, { record, health, user });
  if (entry === undefined) {
    io.stderr.write(
      `${io.program}: the key is in ${remoteTokenVariable(name)} only, so it has to be set where ${name} is used.\n`,
    );
  }
}

async function update({ io, options, remotes }: Context, [name = ""]: readonly string[]): Promise<void> {
  const { url: address, fingerprint, key: asks, login } = options;
  if ([address, fingerprint, asks, login].every((option) => option === undefined)) {
    throw usageError("remotes update needs --url, --fingerprint, --key or --login.");
  }
  const before = findRemote({ name, by: "remotes update" }, dataFolder(options.data, io.env));
  const url = address === undefined ? before.url : parseRemoteUrl(address);
  const trusts = address !== undefined || fingerprint !== undefined;
  const certificate = trusts ? await chooseCertificate(io, { name, url, fingerprint }) : before.certificate;
  const record = recordOf({ id: before.id, url, certificate, addedAt: before.addedAt });
  const health = await readHealth(url, { name, certificate });
  const asked =
    asks === undefined && login === undefined
      ? undefined
      : await getKey(io, name, record, { login: options.login === true });
  try {
    await asked?.entry?.set(asked.key);
  } catch (cause) {
    throw notKept(cause);
  }
  remotes.update(name, record);
  report(io, `Updated ${name}`, { record, health, user: asked?.user });
}

function rename({ io, options, remotes }: Context, [from = "", to = ""]: readonly string[]): void {
  findRemote({ name: from, by: "remotes rename" }, dataFolder(options.data, io.env));
  checkNewName(remotes, to);
  claim(() => remotes.rename(from, to));
  io.stdout.write(`${from} is called ${to} now.\n`);
  if ((io.env[remoteTokenVariable(from)] ?? "") !== "") {
    io.stderr.write(`${io.program}: its key is looked for in ${remoteTokenVariable(to)} now.\n`);
  }
}

async function remove({ io, options, remotes }: Context, [name = ""]: readonly string[]): Promise<void> {
  const found = remotes.find(name);
  // A record that cannot be read can be removed all the same.
  const damaged = found !== undefined && "damaged" in found;
  const remote = damaged ? undefined : findRemote({ name, by: "remotes remove" }, dataFolder(options.data, io.env));
  remotes.remove(name);
  const kept = remote === undefined ? "unknown" : await removeKey(remoteKeyAccount(remote));
  io.stdout.write(`${name} is removed${kept === "removed" ? ", and its key from the keychain" : ""}.\n`);
  if (kept === "removed") io.stderr.write(`${io.program}: the key stays valid there until it is revoked there.\n`);
  if (kept === "unknown")
    io.stderr.write(`${io.program}: its key may still be in the keychain, which was not reached.\n`);
}

async function removeKey(account: string): Promise<"removed" | "none" | "unknown"> {
  try {
    const entry = await openKeyEntry(account);
    if ((await entry.get()) === undefined) return "none";
    await entry.remove();
    return "removed";
  } catch {
    return "unknown";
  }
}

/** @throws CliError for a name that is invalid or taken */
function checkNewName(remotes: Remotes, name: string): void {
  const checked = RemoteName.safeParse(name);
  if (!checked.success) {
    throw usageError(`name: ${checked.error.issues[0]?.message ?? "it is invalid"}, got ${JSON.stringify(name)}.`);
  }
  if (remotes.find(name) !== undefined) throw taken(`There is a remote called ${name} already.`);
}

function claim(change: () => void): void {
  try {
    change();
  } catch (error) {
    throw error instanceof RemoteExistsError ? taken(error.message) : error;
  }
}

function taken(message: string): CliError {
  return usageError(`${message} Choose another name, or change it with \`remotes update\`.`);
}

function notKept(cause: unknown): CliError {
  const reason = errorText(cause);
  return new CliError(exitCodes.refused, `The keychain did not take the key (${reason}): nothing was written.`, {
    cause,
  });
}

function recordOf({ certificate, ...record }: RemoteRecord & { certificate?: string | undefined }): RemoteRecord {
  return certificate === undefined ? record : { ...record, certificate };
}

function report(
  io: Io,
  what: string,
  {
    record,
    health,
    user,
  }: { readonly record: RemoteRecord; readonly health: Health; readonly user: string | undefined },
): void {
  const as = user === undefined ? "" : `, as ${user}`;
  io.stdout.write(`${what} (${record.url}): it answers, version ${escapeControls(health.version + as)}.\n`);
}
