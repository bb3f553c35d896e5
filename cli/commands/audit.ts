import { type Command, Option } from "commander";
import type { AuditEntry, AuditQuery, AuditVerification } from "../../core/protocol/audit.ts";
import { didYouMean } from "../../core/protocol/nearest.ts";
import { connect } from "../connect/connect.ts";
import { exitCodes, usageError } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { parseNumber } from "../parse/parse-number.ts";
import { printsHelp, withUsage, wordParser } from "../parse/word-parser.ts";
import { escapeControls } from "../render/cell.ts";
import { formatResult } from "../render/format-result.ts";
import { type Io, styleOf } from "../render/io.ts";

type AuditOptions = Omit<Globals, "session"> & AuditQuery & { readonly head?: string };

export const auditActions = ["list", "verify"] as const;
type AuditAction = (typeof auditActions)[number];

/** `service audit [list|verify]`. Returns the exit code: 1 for a log that was changed. */
export async function auditCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = auditParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const action = withUsage(command, () => chooseAction(command));
  return action === "verify" ? verify(io, command.opts<AuditOptions>()) : list(io, command.opts<AuditOptions>());
}

async function list(io: Io, options: AuditOptions): Promise<number> {
  const { text, outcome, kind, session, before, limit, head: _, ...globals } = options;
  const entries = await (await connect(io, globals)).operation("audit", {
    text,
    outcome,
    kind,
    session,
    before,
    limit,
  });
  const style = styleOf(io, globals.json === true);
  io.stdout.write(await formatResult({}, io.stdout.isTTY && !style.json ? entries.map(lineOf) : entries, style));
  return exitCodes.ok;
}

async function verify(io: Io, { head, session: _, ...globals }: AuditOptions): Promise<number> {
  const verification = await (await connect(io, globals)).operation("verifyAudit", { head });
  const style = styleOf(io, globals.json === true);
  const isText = io.stdout.isTTY && !style.json;
  io.stdout.write(isText ? describeVerification(verification) : await formatResult({}, verification, style));
  return verification.ok ? exitCodes.ok : exitCodes.refused;
}

function describeVerification({ ok, entries, removed, unchained, head, broken }: AuditVerification): string {
  const agree = `${entries} entries agree with the chain`;
  const parts = [
    ok ? `OK: ${agree}.` : `The audit log was changed. Entry ${broken?.id}: ${broken?.reason}. Before it, ${agree}.`,
    ...(removed > 0 ? [`Of ${removed} older ones only the hash is kept.`] : []),
    ...(unchained > 0 ? [`${unchained} entries are older than the chain and cannot be checked.`] : []),
  ];
  return `${escapeControls(parts.join(" "))}\nHead: ${escapeControls(head)}\n`;
}

/** @throws CliError for words that are no action, and for options of the other action */
function chooseAction(command: Command): AuditAction {
  const [name = "list", extra] = command.args;
  const action = auditActions.find((candidate) => candidate === name);
  if (action === undefined)
    throw usageError(`audit: no action ${JSON.stringify(name)}.${didYouMean(name, auditActions)}`);
  if (extra !== undefined) throw usageError(`audit ${action}: unexpected argument ${JSON.stringify(extra)}.`);
  const given = (option: string) => command.getOptionValueSource(option) === "cli";
  if (action === "list" && given("head")) throw usageError("--head is an option of `audit verify`.");
  const filter = LIST_OPTIONS.find(given);
  if (action === "verify" && filter !== undefined)
    throw usageError(`--${filter} is not an option of \`audit verify\`.`);
  return action;
}

const LIST_OPTIONS = ["text", "outcome", "kind", "session", "before", "limit"];

export function auditParser(program: string): Command {
  const ofVerify = (flags: string, description: string) =>
    new Option(flags, description).helpGroup("Options of verify:");
  const number = (option: string) => (given: string) => parseNumber(given, option);
  const command = wordParser(program, "audit", {
    description: "Shows the audit log: every authentication and every call that changed something, the newest first.",
    usage: "[action] [options]",
    actions: [
      ["list", "list entries (default)"],
      ["verify", "check that no entry was changed or removed; the exit code is 1 if one was"],
    ],
    examples: ["audit", "audit --outcome failed", "audit --text closeShell --json", "audit verify"],
  })
    .option("--text <text>", "only entries that contain this text, ignoring case")
    .option("--outcome <outcome>", "only entries with this outcome: ok, failed, or an error code")
    .addOption(new Option("--kind <kind>", "only entries of this kind").choices(["call", "authentication"]))
    .option("--session <id>", "only entries of this session")
    .addOption(new Option("--before <id>", "only entries older than this one").argParser(number("--before")))
    .addOption(
      new Option("--limit <number>", "maximum number of entries, up to 1000").argParser(number("--limit")).default(50),
    )
    .addOption(
      ofVerify("--head <head>", "the head that an earlier `audit verify` printed: it must still be in the log"),
    );
  return addGlobals(command, { except: ["session", "client"] });
}

/** What a person wants to see of an entry, one line each. */
function lineOf({ id, at, who, from, action, params, outcome, count }: AuditEntry): Record<string, unknown> {
  const given = Object.entries(params).map(([name, value]) => `${name}=${String(value)}`);
  const times = count > 1 ? ` ×${count}` : "";
  return { id, at, who: who ?? "nobody", from, action: [action, ...given].join(" ") + times, outcome };
}
