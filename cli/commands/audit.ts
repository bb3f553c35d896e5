import { type Command, Option } from "commander";
import type { AuditEntry, AuditQuery } from "../../core/protocol/audit.ts";
import { connect } from "../connect/connect.ts";
import { exitCodes } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { parseNumber } from "../parse/parse-number.ts";
import { printsHelp, wordParser } from "../parse/word-parser.ts";
import { formatResult } from "../render/format-result.ts";
import { type Io, styleOf } from "../render/io.ts";

type AuditOptions = Omit<Globals, "session"> & AuditQuery;

/** `service audit`: who did what, the newest first. Returns the exit code. */
export async function auditCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = auditParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const { text, outcome, kind, session, before, limit, ...globals } = command.opts<AuditOptions>();
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

export function auditParser(program: string): Command {
  const number = (option: string) => (given: string) => parseNumber(given, option);
  const command = wordParser(program, "audit", {
    description: "Shows the audit log: every authentication and every call that changed something, the newest first.",
    examples: ["audit", "audit --outcome failed", "audit --text close-shell --json"],
  })
    .option("--text <text>", "only entries that contain this text, ignoring case")
    .option("--outcome <outcome>", "only entries with this outcome: ok, failed, or an error code")
    .addOption(new Option("--kind <kind>", "only entries of this kind").choices(["call", "authentication"]))
    .option("--session <id>", "only entries of this session")
    .addOption(new Option("--before <id>", "only entries older than this one").argParser(number("--before")))
    .addOption(
      new Option("--limit <number>", "maximum number of entries, up to 1000").argParser(number("--limit")).default(50),
    );
  return addGlobals(command, { except: ["session", "client"] });
}

/** What a person wants to see of an entry, one line each. */
function lineOf({ id, at, who, from, action, params, outcome, count }: AuditEntry): Record<string, unknown> {
  const given = Object.entries(params).map(([name, value]) => `${name}=${String(value)}`);
  const times = count > 1 ? ` ×${count}` : "";
  return { id, at, who: who ?? "nobody", from, action: [action, ...given].join(" ") + times, outcome };
}
