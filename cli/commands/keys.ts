import { type Command, Option } from "commander";
import type { KeyRecord } from "../../core/operations/keys.ts";
import { defined } from "../../core/protocol/defined.ts";
import { describeRestrictions, type KeyRestrictions } from "../../core/protocol/key-restrictions.ts";
import { didYouMean } from "../../core/protocol/nearest.ts";
import { parseDuration } from "../../core/protocol/parse-duration.ts";
import { callKeyOperation, checkMethodPatterns } from "../connect/key-operations.ts";
import { exitCodes, usageError } from "../parse/exit-codes.ts";
import { printsHelp, withUsage, wordParser } from "../parse/word-parser.ts";
import { escapeControls, nameWidth } from "../render/cell.ts";
import type { Io } from "../render/io.ts";

const MAX_TTL_MS = 3650 * 24 * 3_600_000;

/** `--data` of the words that work on a data folder. */
export const DATA_DESCRIPTION =
  "data folder of the relay; default: the relay that SERVICE_URL names, as in a Patchbay shell, else PATCHBAY_DATA, else the platform's default";

/** `--on` of the words that have options of their own. */
export const ON_DESCRIPTION = "another machine, see remotes; default: SERVICE_ON, else this one";

interface KeysOptions {
  readonly name?: string;
  readonly readOnly?: true;
  readonly methods?: string;
  readonly ownShells?: true;
  readonly automation?: true;
  readonly secrets?: "hide";
  readonly expires?: string;
  readonly json?: boolean;
  readonly data?: string;
  readonly on?: string;
}

/** Resolves to the lines to print. */
type Action = (io: Io, args: readonly string[], options: KeysOptions) => Promise<readonly string[]>;

const actions: Readonly<Record<string, Action>> = { create, list, revoke };

export const keyActions = Object.keys(actions);

/** `patchbay keys`: the user's API keys and tokens. Returns the exit code. */
export async function keysCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = keysParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const options = command.opts<KeysOptions>();
  const [action, args] = withUsage(command, () => chooseAction(command.args, options));
  const lines = await action(io, args, options);
  // The relay may be a remote. In JSON, too, the escapes mean the same characters.
  io.stdout.write(lines.map((line) => `${escapeControls(line)}\n`).join(""));
  return exitCodes.ok;
}

export function keysParser(program: string): Command {
  const ofCreate = (flags: string, description: string) =>
    new Option(flags, description).helpGroup("Options of create:");
  return wordParser(program, "keys", {
    description:
      "Create, list and revoke API keys, whole or restricted. What was made with a key (keys, tokens, invites and their guests) ends with it.",
    usage: "<action> [options]",
    actions: [
      ["create --name <name>", "create an API key and print it; it is shown once"],
      ["list", "list keys and tokens: id, name, scope, creation, last use, expiry and the key that made it"],
      ["revoke <name-or-id>", "revoke a key or a token"],
    ],
    examples: [
      "keys create --name laptop",
      "keys create --name ci --read-only --methods 'get*,list*' --expires 30d",
      "keys create --name reviewer --read-only --secrets hide",
      "keys list",
      "keys revoke laptop",
    ],
  })
    .addOption(ofCreate("--name <name>", "name of the key"))
    .addOption(ofCreate("--read-only", "the key only reads; without restrictions it may do what its owner may"))
    .addOption(
      ofCreate(
        "--methods <patterns>",
        "the key calls only methods or commands that match, for example 'get*,list*,toast'",
      ),
    )
    .addOption(ofCreate("--own-shells", "the key changes only shells that were made with it, and their tiles"))
    .addOption(
      ofCreate(
        "--automation",
        "the key is a program's: it types into no shell where a person or a question is in the way",
      ),
    )
    .addOption(
      ofCreate(
        "--secrets <wish>",
        "`hide`: secrets are hidden in all that the key reads, and it follows no output",
      ).choices(["hide"]),
    )
    .addOption(ofCreate("--expires <time>", "the key expires after this time, such as 12h or 30d"))
    .option("--json", "print JSON, also on a terminal; create prints the whole record with the key as `secret`")
    .option("--data <folder>", DATA_DESCRIPTION)
    .option("--on <remote>", ON_DESCRIPTION);
}

/** @throws CliError for words that are no action with its arguments and options */
function chooseAction([name, ...args]: readonly string[], options: KeysOptions): [Action, readonly string[]] {
  if (name === undefined) throw usageError(`keys: expected one of ${keyActions.join(", ")}.`);
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw usageError(`keys: no action ${JSON.stringify(name)}.${didYouMean(name, keyActions)}`);
  const { readOnly, methods, ownShells, automation, secrets, expires } = options;
  const ofCreate = [readOnly, methods, ownShells, automation, secrets, expires];
  if (name !== "create" && ofCreate.some((value) => value !== undefined)) {
    throw usageError(
      "--read-only, --methods, --own-shells, --automation, --secrets and --expires belong to `keys create`.",
    );
  }
  if (name === "create" && (options.name ?? "").trim() === "") throw usageError("keys create needs --name NAME.");
  const target = args[0] ?? options.name;
  if (name === "revoke" && target === undefined) throw usageError("keys revoke needs the name or the id of a key.");
  const extra = name === "revoke" ? args[1] : args[0];
  if (extra !== undefined) throw usageError(`keys ${name}: unexpected argument ${JSON.stringify(extra)}.`);
  return [action, args];
}

async function create(io: Io, _args: readonly string[], options: KeysOptions): Promise<readonly string[]> {
  const { name = "", expires } = options;
  const ttl = expires === undefined ? {} : { ttl: parseTtl(expires) };
  const restrictions = await parseRestrictions(io, options);
  const made = await callKeyOperation(io, options, "createKey", {
    name,
    restrictions,
    ...ttl,
  });
  return [options.json === true ? JSON.stringify(made) : made.secret];
}

/** Seconds. */
function parseTtl(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0 && ms <= MAX_TTL_MS) return ms / 1000;
  throw usageError(`--expires: expected a time such as 30m, 12h or 30d, up to 3650d, got ${JSON.stringify(text)}.`);
}

async function parseRestrictions(
  io: Io,
  { readOnly, ownShells, automation, methods, secrets }: KeysOptions,
): Promise<KeyRestrictions> {
  const patterns = methods === undefined ? undefined : parsePatterns(methods);
  if (patterns !== undefined) await checkMethodPatterns(io, patterns);
  return defined({ readOnly, ownShells, methods: patterns, automation, secrets });
}

function parsePatterns(text: string): string[] {
  const patterns = [...new Set(text.split(",").map((pattern) => pattern.trim()))].filter((pattern) => pattern !== "");
  if (patterns.length > 0) return patterns;
  throw usageError("--methods: expected names such as 'getShells,list*', got none.");
}

async function list(
  io: Io,
  _args: readonly string[],
  { json = false, ...target }: KeysOptions,
): Promise<readonly string[]> {
  const rows = await callKeyOperation(io, target, "listKeys", {});
  if (json || !io.stdout.isTTY) return [JSON.stringify(rows)];
  if (rows.length === 0) return ["No keys yet: `patchbay keys create --name NAME` makes one."];
  const width = nameWidth(
    rows.map(({ name }) => name),
    4,
  );
  return rows.map(
    (row) =>
      `${row.id}  ${row.name.padEnd(width)}  ${describeScope(row)}  made ${row.createdAt}  last used ${row.lastUsedAt ?? "never"}${describeExpiry(row)}${describeMaker(row)}`,
  );
}

function describeScope({ scheme, scopes, restrictions }: KeyRecord): string {
  if (scheme === "bearer") return `token for ${scopes.join(", ")}`;
  return describeRestrictions(restrictions) || "everything";
}

function describeExpiry({ expiresAt }: KeyRecord): string {
  if (expiresAt === null) return "";
  return Date.parse(expiresAt) <= Date.now() ? `  expired ${expiresAt}` : `  good until ${expiresAt}`;
}

function describeMaker({ madeBy }: KeyRecord): string {
  return madeBy === undefined ? "" : `  made with ${madeBy}`;
}

async function revoke(
  io: Io,
  [target]: readonly string[],
  { name, json = false, ...keyTarget }: KeysOptions,
): Promise<readonly string[]> {
  const revoked = await callKeyOperation(io, keyTarget, "revokeKey", { key: target ?? name ?? "" });
  return [json ? JSON.stringify(revoked) : `Key ${revoked.name} is revoked.`];
}
