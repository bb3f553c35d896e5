import { z } from "zod";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { type IndexDatabase, indexedText } from "./database.ts";
import type { RedactionRows } from "./redaction-rows.ts";
import type { DocText } from "./text-docs.ts";

/** Parts of a text that are looked up; more of them hardly narrow it down. */
const MOST_PARTS = 48;
const PART = 3;

const DocRow = z.object({ id: z.int(), shell: z.int(), starts: z.int(), ends: z.int(), at: z.number() });
export type DocRow = z.infer<typeof DocRow>;

/**
 * Which documents may hold a text: an FTS5 index of trigrams for each session, so that a search takes no time that depends
 * on other sessions. It keeps no text: what it finds is read from the segments, and compared.
 */
export class TextRows {
  readonly #database: IndexDatabase;
  readonly #redactions: RedactionRows;

  constructor(database: IndexDatabase, redactions: RedactionRows) {
    this.#database = database;
    this.#redactions = redactions;
  }

  add(session: number, shell: number, { text, starts, ends, at }: DocText & { at: number }): void {
    this.#create(session);
    const { lastInsertRowid: id } = this.#database
      .prepare("INSERT INTO docs (shell_id, starts, ends, at) VALUES (?, ?, ?, ?)")
      .run([shell, starts, ends, Math.trunc(at)]);
    const redacted = this.#redactions.redact(text);
    this.#database
      .prepare(`INSERT INTO text_${session} (rowid, content) VALUES (?, ?)`)
      .run([Number(id), indexedText(redacted.text)]);
    redacted.note("docs", Number(id), at);
  }

  /** Removes the documents of a shell that begin at an offset or later, or that end before one. */
  remove(session: number, shell: number, { from, before }: { readonly from?: number; readonly before?: number }): void {
    const rows = this.#database
      .prepare("SELECT id FROM docs WHERE shell_id = ? AND (starts >= ? OR ends <= ?)")
      .all([shell, from ?? Number.MAX_SAFE_INTEGER, before ?? -1]);
    for (const row of rows) {
      const { id } = z.object({ id: z.int() }).parse(row);
      this.#database.prepare(`DELETE FROM text_${session} WHERE rowid = ?`).run([id]);
      this.#database.prepare("DELETE FROM docs WHERE id = ?").run([id]);
      this.#redactions.remove("docs", id);
    }
  }

  /** Returns documents that may hold some texts, the latest first, a page at a time: those with an id below `below`. */
  candidates(
    session: number,
    {
      literals,
      shell,
      since,
      until,
      below,
      limit,
    }: {
      readonly literals: readonly string[];
      readonly shell: number | undefined;
      readonly since: number;
      readonly until: number;
      readonly below: number;
      readonly limit: number;
    },
  ): DocRow[] {
    if (!this.#has(session)) return [];
    const statement = this.#database.prepare(
      `SELECT docs.id AS id, shells.shell AS shell, starts, ends, at FROM text_${session}
       JOIN docs ON docs.id = text_${session}.rowid JOIN shells ON shells.id = shell_id
       WHERE text_${session} MATCH ?1 AND text_${session}.rowid < ?2 AND (?3 IS NULL OR shells.shell = ?3)
         AND at >= ?4 AND at < ?5
       ORDER BY text_${session}.rowid DESC LIMIT ?6`,
    );
    return statement
      .all([matchOf(literals), below, shell ?? null, since, until, limit])
      .flatMap((row) => DocRow.safeParse(row).data ?? []);
  }

  #has(session: number): boolean {
    const statement = this.#database.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?");
    return statement.get([`text_${session}`]) !== undefined;
  }

  #create(session: number): void {
    this.#database.exec(
      `CREATE VIRTUAL TABLE IF NOT EXISTS text_${session} USING
       fts5(content, content='', contentless_delete=1, detail=none, tokenize='trigram')`,
    );
  }
}

/** An expression for the trigrams of texts, each of which their documents hold. */
export function matchOf(texts: readonly string[]): string {
  const parts = new Set<string>();
  for (const text of texts) {
    const characters = [...text];
    for (let at = 0; at + PART <= characters.length; at++) parts.add(characters.slice(at, at + PART).join(""));
  }
  if (parts.size === 0) throw new RemoteError("invalid_params", "params.query: expected three characters or more.");
  return [...parts]
    .slice(0, MOST_PARTS)
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join(" AND ");
}
