import { z } from "zod";
import type { OfShells } from "../../../core/protocol/history-search.ts";
import { type IndexDatabase, shellList } from "./database.ts";
import type { FilterRows } from "./filter-rows.ts";
import type { RedactionRows } from "./redaction-rows.ts";
import type { DocText } from "./text-docs.ts";

/** Rows that are looked up at a time. */
const LOOKED_UP = 256;

/** The filters of a session have its number; those of conversations have 0. */
const FIRST_SESSION = 1;

const DocRow = z.object({
  id: z.int(),
  shell: z.int(),
  starts: z.int(),
  ends: z.int(),
  at: z.number(),
  /** Where the document before it begins; null for the first one of a shell. */
  previous: z.int().nullable(),
});
export type DocRow = z.infer<typeof DocRow>;

/** A document as it is indexed. */
export interface IndexedDoc extends DocText {
  /** When its output was recorded, in milliseconds since 1970. */
  readonly at: number;
}

/**
 * Table `docs`: the documents of output. Each session has filters of its own, so that a search takes no time that depends on
 * other sessions. No text is kept: what is found is read from the segments, and compared.
 */
export class TextRows {
  readonly #database: IndexDatabase;
  readonly #filters: FilterRows;
  readonly #redactions: RedactionRows;

  constructor(database: IndexDatabase, filters: FilterRows, redactions: RedactionRows) {
    this.#database = database;
    this.#filters = filters;
    this.#redactions = redactions;
  }

  add(session: number, shell: number, docs: readonly IndexedDoc[]): void {
    const insert = this.#database.prepare("INSERT INTO docs (shell_id, starts, ends, at) VALUES (?, ?, ?, ?)");
    for (const { text, starts, ends, at } of docs) {
      const { lastInsertRowid } = insert.run([shell, starts, ends, Math.trunc(at)]);
      const id = Number(lastInsertRowid);
      const redacted = this.#redactions.redact(text);
      this.#filters.add(session, id, redacted.text);
      redacted.note("docs", id, at);
    }
    this.#filters.close(session);
  }

  /** Removes the documents of a shell that begin at an offset or later, or that end before one. */
  remove(session: number, shell: number, { from, before }: { readonly from?: number; readonly before?: number }): void {
    // By their beginnings, which have an index: this comes with each output, and a shell may have hundreds of thousands.
    const rows = this.#database
      .prepare(
        `SELECT id FROM docs WHERE shell_id = ?1 AND starts >= ?2
         UNION SELECT id FROM docs WHERE shell_id = ?1 AND starts < ?3 AND ends <= ?3`,
      )
      .all([shell, from ?? Number.MAX_SAFE_INTEGER, before ?? -1]);
    for (const row of rows) {
      const { id } = z.object({ id: z.int() }).parse(row);
      this.#filters.remove(session, id);
      this.#database.prepare("DELETE FROM docs WHERE id = ?").run([id]);
      this.#redactions.remove("docs", id);
    }
  }

  /** Returns the bytes that the filters of all but the latest documents take. */
  get bytes(): number {
    return this.#filters.blockBytes(FIRST_SESSION);
  }

  /** Removes the oldest documents, as many as have their filters together: those of a session that were indexed first. */
  removeOldest(): void {
    const block = this.#filters.removeOldest(FIRST_SESSION);
    if (block === undefined) return;
    const { set, lowest, highest } = block;
    const ofBlock = "id BETWEEN ? AND ? AND shell_id IN (SELECT id FROM shells WHERE session_id = ?)";
    this.#database
      .prepare(`DELETE FROM redactions WHERE source = 'docs' AND row IN (SELECT id FROM docs WHERE ${ofBlock})`)
      .run([lowest, highest, set]);
    this.#database.prepare(`DELETE FROM docs WHERE ${ofBlock}`).run([lowest, highest, set]);
  }

  /** Lists the documents that may hold all of some texts, the latest first. */
  *candidates(
    session: number,
    {
      literals,
      shell,
      among,
      since,
      until,
    }: OfShells & {
      readonly literals: readonly string[];
      readonly shell: number | undefined;
      readonly since: number;
      readonly until: number;
    },
  ): Generator<DocRow, void, void> {
    const rows = this.#database.prepare(
      `SELECT docs.id AS id, shells.shell AS shell, starts, ends, at,
         (SELECT max(earlier.starts) FROM docs earlier
           WHERE earlier.shell_id = docs.shell_id AND earlier.starts < docs.starts) AS previous
       FROM docs JOIN shells ON shells.id = shell_id
       WHERE docs.id IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR shells.shell = ?2)
         AND (?5 IS NULL OR shells.shell IN (SELECT value FROM json_each(?5))) AND at >= ?3 AND at < ?4
       ORDER BY docs.id DESC`,
    );
    for (const ids of pages(this.#filters.candidates(session, literals), LOOKED_UP)) {
      yield* DocRow.array().parse(rows.all([JSON.stringify(ids), shell ?? null, since, until, shellList(among)]));
    }
  }
}

/** Yields what a list has, so many at a time. */
export function* pages<T>(all: Iterable<T>, size: number): Generator<T[], void, void> {
  let page: T[] = [];
  for (const one of all) {
    page.push(one);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
