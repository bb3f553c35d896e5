import { z } from "zod";
import {
  type CommandQuery,
  type CommandRecord,
  CommandSource,
  type OfShells,
} from "../../../core/protocol/history-search.ts";
import { ShellId } from "../../../core/protocol/ids.ts";
import { jsonOrUndefined } from "../../../core/protocol/json-value.ts";
import { type SearchPattern, searchPattern, THREAD_MS } from "../../../core/protocol/search-pattern.ts";
import { signalOfExit } from "../../system/signal-names.ts";
import { type IndexDatabase, type Sealer, StoredText, shellList } from "./database.ts";
import type { RedactionRows } from "./redaction-rows.ts";
import { pages } from "./text-rows.ts";

/** Rows that are read at a time. */
const PAGE = 200;

const Row = z.object({
  shell: z.int(),
  output_from: z.int(),
  output_to: z.int().nullable(),
  started_at: z.number(),
  ended_at: z.number().nullable(),
  exit_code: z.int().nullable(),
  sealed: StoredText.nullable(),
  typed_by: StoredText.nullable(),
});

const RowId = z.object({ id: z.int() });

const Sealed = z.object({ line: z.string().optional(), cwd: z.string().optional(), branch: z.string().optional() });

/** What is known when a command starts. */
type StartedCommand = z.infer<typeof Sealed> & { readonly at: number };

/** Where output of the shell begins that a command has printed. */
interface CommandPlace {
  readonly shell: number;
  readonly from: number;
}

/** Table `commands`. The shell is a row of `shells`. */
export class CommandRows {
  readonly #database: IndexDatabase;
  readonly #redactions: RedactionRows;
  readonly #sealer: Sealer;

  constructor(database: IndexDatabase, sealer: Sealer, redactions: RedactionRows) {
    this.#database = database;
    this.#redactions = redactions;
    this.#sealer = sealer;
  }

  /** Notes the start of a command; one that is known stays as it is. The end of one before it was not seen: it is over by now. */
  start({ shell, from }: CommandPlace, { at, line, cwd, branch }: StartedCommand): void {
    // Only the latest one: those before it ended when it began.
    this.#database
      .prepare(
        `UPDATE commands SET output_to = ?1 WHERE shell_id = ?2 AND output_to IS NULL
         AND output_from = (SELECT max(output_from) FROM commands
           WHERE shell_id = ?2 AND output_from < ?1 AND sealed IS NOT NULL)`,
      )
      .run([from, shell]);
    const redacted = this.#redactions.redact(line ?? "");
    const words: z.infer<typeof Sealed> = { line: line === undefined ? line : redacted.text, cwd, branch };
    this.#database
      .prepare(
        `INSERT INTO commands (shell_id, output_from, started_at, sealed) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET started_at = excluded.started_at, sealed = excluded.sealed`,
      )
      .run([shell, from, Math.trunc(at), this.#sealer.seal(JSON.stringify(words))]);
    const stored = this.#database
      .prepare("SELECT rowid AS id FROM commands WHERE shell_id = ? AND output_from = ?")
      .get([shell, from]);
    const { id } = RowId.parse(stored);
    this.#redactions.remove("commands", id);
    redacted.note("commands", id, at);
  }

  /** Notes the end of the command that runs. */
  end(shell: number, { offset, at, exitCode }: { offset: number; at: number; exitCode: number | null }): void {
    this.#database
      .prepare(
        `UPDATE commands SET output_to = ?, ended_at = ?, exit_code = ? WHERE shell_id = ? AND output_to IS NULL
         AND output_from = (SELECT max(output_from) FROM commands
           WHERE shell_id = ? AND output_from <= ? AND sealed IS NOT NULL)`,
      )
      .run([offset, Math.trunc(at), exitCode, shell, shell, offset]);
  }

  /** Notes who entered a command, before or after its start is noted. */
  typed({ shell, from }: CommandPlace, by: CommandSource): void {
    this.#database
      .prepare(
        `INSERT INTO commands (shell_id, output_from, started_at, typed_by) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET typed_by = excluded.typed_by`,
      )
      .run([shell, from, Date.now(), JSON.stringify(by)]);
  }

  /** Returns a command of a session; undefined if there is none. */
  get(session: string, { shell, from }: CommandPlace): CommandRecord | undefined {
    const row = this.#database
      .prepare(`${SELECT} WHERE session = ? AND shell = ? AND output_from = ?`)
      .get([session, shell, from]);
    return row === undefined ? undefined : this.#record(row);
  }

  /** Returns the latest commands of a session that a query fits, the latest first, without those of which only who typed them is known yet. */
  list(
    session: string,
    { limit, shell, among, since, until, text, regex, ...query }: CommandQuery & OfShells,
  ): CommandRecord[] {
    const pattern = text === undefined ? undefined : searchPattern({ query: text, regex }, THREAD_MS);
    const found: CommandRecord[] = [];
    const bounds = [
      since === undefined ? 0 : Date.parse(since),
      until === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(until),
    ];
    const ids = this.#database
      .prepare(IN_SESSION)
      .all([session, shell ?? null, ...bounds, shellList(among)])
      .map((row) => RowId.parse(row).id);
    const read = this.#database.prepare(
      `${SELECT} WHERE commands.rowid IN (SELECT value FROM json_each(?)) ORDER BY started_at DESC, output_from DESC`,
    );
    for (const page of pages(ids, PAGE)) {
      for (const row of read.all([JSON.stringify(page)])) {
        const record = this.#record(row);
        if (record !== undefined && found.length < limit && fits(record, { ...query, pattern })) found.push(record);
      }
      if (found.length === limit) break;
    }
    return found;
  }

  /** Removes the commands of a shell whose output began before an offset. */
  removeBefore(shell: number, offset: number): void {
    const rows = this.#database
      .prepare("DELETE FROM commands WHERE shell_id = ? AND output_from < ? RETURNING rowid AS id")
      .all([shell, offset]);
    for (const row of rows) this.#redactions.remove("commands", RowId.parse(row).id);
  }

  #record(row: unknown): CommandRecord | undefined {
    const { data } = Row.safeParse(row);
    if (data === undefined) return undefined;
    const { sealed } = data;
    const words = sealed === null ? {} : (Sealed.safeParse(jsonOrUndefined(this.#sealer.open(sealed))).data ?? {});
    return {
      id: `${data.shell}.${data.output_from}`,
      shellId: ShellId.parse(data.shell),
      command: words.line ?? null,
      cwd: words.cwd ?? null,
      startedAt: new Date(data.started_at).toISOString(),
      durationMs: data.ended_at === null ? null : Math.max(0, data.ended_at - data.started_at),
      exitCode: data.exit_code,
      signal: signalOfExit(data.exit_code),
      outputFrom: data.output_from,
      outputTo: data.output_to,
      branch: words.branch ?? null,
      by: CommandSource.safeParse(jsonOrUndefined(data.typed_by ?? undefined)).data ?? null,
    };
  }
}

const SELECT = `SELECT shell, output_from, output_to, started_at, ended_at, exit_code, CAST(sealed AS BLOB) AS sealed,
    CAST(typed_by AS BLOB) AS typed_by
  FROM commands JOIN shells ON shells.id = shell_id JOIN sessions ON sessions.id = session_id`;

/**
 * Commands of a session, the latest first. The session comes first in the join: an index of all commands by time would take
 * as long as other sessions have commands, and so tell of them.
 */
const IN_SESSION = `SELECT commands.rowid AS id
  FROM sessions CROSS JOIN shells ON session_id = sessions.id CROSS JOIN commands ON shell_id = shells.id
  WHERE session = ?1 AND (?2 IS NULL OR shell = ?2) AND sealed IS NOT NULL AND started_at >= ?3 AND started_at < ?4
    AND (?5 IS NULL OR shell IN (SELECT value FROM json_each(?5)))
  ORDER BY started_at DESC, output_from DESC`;

interface Wanted extends Pick<CommandQuery, "folder" | "exit" | "failed" | "by"> {
  readonly pattern: SearchPattern | undefined;
}

function isEmpty(found: Iterable<unknown>): boolean {
  for (const _ of found) return false;
  return true;
}

function fits(
  { command, cwd, exitCode, by: source }: CommandRecord,
  { pattern, folder, exit, failed, by }: Wanted,
): boolean {
  if (pattern !== undefined && isEmpty(pattern.matches(command ?? ""))) return false;
  if (
    folder !== undefined &&
    cwd !== folder &&
    cwd?.startsWith(folder.endsWith("/") ? folder : `${folder}/`) !== true
  ) {
    return false;
  }
  if (exit !== undefined && exitCode !== exit) return false;
  if (failed && (exitCode === null || exitCode === 0)) return false;
  if (by === "agent") return source?.byAgent === true;
  return by === undefined || source?.kind === by;
}
