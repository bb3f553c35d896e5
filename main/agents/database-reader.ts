import { lstatSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import type Database from "libsql";
import { z } from "zod";
import { errorText } from "../../core/protocol/error-text.ts";
import { StoredBytes, StoredText } from "../system/stored-text.ts";
import type { DatabaseTranscript, ParsePurpose } from "./adapters/adapter.ts";
import { openReadOnly } from "./adapters/agent-database.ts";
import { realHome } from "./adapters/agent-home.ts";
import { isDenseJson } from "./dense-json.ts";
import type { ReadProblem } from "./line-reader.ts";

/** Rows that one query reads: first, and at most where they are small. */
const FIRST_ROWS = 16;
const MOST_ROWS = 500;
/** After a query with more bytes the next ones read fewer rows. */
const MANY_BYTES = 4 * 1024 * 1024;
/** Queries of one reading, between which the event loop gets its turn. */
const MOST_QUERIES = 400;
const MAX_FILE_BYTES = 4 * 1024 * 1024 * 1024;

/** Receives the record of a row. */
type RecordHandler = (record: unknown, subagent: boolean) => void;

interface DatabaseSource {
  /** The agent's own folder. */
  readonly root: string;
  readonly session: string;
  readonly transcript: DatabaseTranscript;
  readonly purpose: ParsePurpose;
}

/**
 * Reads the new rows of one session in an agent's SQLite database, which the agent may be writing to. The database is
 * opened for each reading, and for reading only. Nothing outside of `root` is opened, nothing that is not a regular file,
 * and no database in which the tables are something else than tables.
 */
export class DatabaseReader {
  readonly path: string;
  readonly #root: string;
  readonly #session: string;
  readonly #transcript: DatabaseTranscript;
  readonly #purpose: ParsePurpose;
  readonly #problem: (problem: ReadProblem) => void;
  /** Where the last reading ended: rows are read again that have this time, as it may have further ones by now. */
  #mark = 0;
  /** The rows of that time that were read. */
  #atMark = new Set<string>();
  #rows = FIRST_ROWS;
  #stamp = "";
  #reported = "";
  #hasFailed = false;

  constructor(
    path: string,
    { root, session, transcript, purpose }: DatabaseSource,
    problem: (problem: ReadProblem) => void,
  ) {
    this.path = path;
    this.#root = root;
    this.#session = session;
    this.#transcript = transcript;
    this.#purpose = purpose;
    this.#problem = problem;
  }

  /** Tells whether the last reading failed, so that there may be more in the database than was read. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /**
   * Resolves with whether there was anything new; ends early, and not to be continued, once `isDone` says so. A database that
   * cannot be read is reported once.
   */
  async read(onRecord: RecordHandler, isDone: () => boolean = () => false): Promise<boolean> {
    this.#hasFailed = false;
    const stamp = this.#currentStamp();
    if (stamp === undefined || stamp === this.#stamp) return false;
    let news = false;
    try {
      const database = openReadOnly(this.path, this.#transcript.tables);
      try {
        for (let query = 0; query < MOST_QUERIES; query += 1) {
          const found = this.#readRows(database, onRecord);
          news ||= found > 0;
          if (found === 0 || isDone()) break;
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        database.close();
      }
      this.#stamp = stamp;
      this.#reported = "";
    } catch (error) {
      this.#hasFailed = true;
      this.#report(`database cannot be read: ${errorText(error)}`);
    }
    return news;
  }

  #readRows(database: Database.Database, onRecord: RecordHandler): number {
    const query = `SELECT CAST(kind AS BLOB) AS kind, CAST(id AS BLOB) AS id, CAST(mark AS REAL) AS mark,
        CAST(record AS BLOB) AS record, CAST(subagent AS INTEGER) AS subagent
      FROM (${this.#transcript.query(this.#purpose)}) ORDER BY mark, id`;
    // As many further rows as are known at the mark.
    const limit = this.#rows + this.#atMark.size;
    const rows = z.array(Row).parse(database.prepare(query).all([this.#session, this.#mark, limit]));
    const fresh = rows.filter(({ mark, id }) => mark > this.#mark || !this.#atMark.has(id));
    for (const row of fresh) {
      if (row.mark > this.#mark) {
        this.#mark = row.mark;
        this.#atMark = new Set();
      }
      this.#atMark.add(row.id);
      this.#take(row, onRecord);
    }
    const read = rows.reduce((sum, { record }) => sum + record.length, 0);
    this.#rows = read > MANY_BYTES ? Math.max(1, Math.floor(this.#rows / 4)) : Math.min(MOST_ROWS, this.#rows * 2);
    return fresh.length;
  }

  #take({ kind, id, record: bytes, subagent }: z.infer<typeof Row>, onRecord: RecordHandler): void {
    const isDense = isDenseJson(bytes, 0, bytes.length);
    const record = isDense ? undefined : parsed(StoredText.parse(bytes));
    if (isDense) this.#report("record of too many values skipped");
    else if (record === undefined) this.#report("record that is not JSON skipped");
    else onRecord({ kind, id, ...record }, subagent === 1);
  }

  /** What changes when the database or its log does; undefined for anything but a regular file of the agent's own. */
  #currentStamp(): string | undefined {
    try {
      const stat = lstatSync(this.path);
      if (!stat.isFile() || !realpathSync(this.path).startsWith(realHome(this.#root) + sep)) return undefined;
      if (stat.size > MAX_FILE_BYTES) {
        this.#report("database over 4 GB skipped");
        return undefined;
      }
      const log = lstatSync(`${this.path}-wal`, { throwIfNoEntry: false });
      if (log !== undefined && !log.isFile()) return undefined;
      return `${stat.ino}:${stat.mtimeMs}:${stat.size}:${log?.mtimeMs}:${log?.size}`;
    } catch {
      return undefined;
    }
  }

  #report(reason: string): void {
    if (this.#reported === reason) return;
    this.#reported = reason;
    this.#problem({ reason, path: this.path });
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const Row = z.object({
  kind: StoredText,
  id: StoredText,
  mark: z.number(),
  record: StoredBytes,
  subagent: z.number(),
});
