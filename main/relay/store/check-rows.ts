import type Database from "libsql";
import { z } from "zod";

/** Up to this size the whole database is checked at the start, which takes about 0.1 s. */
const CHECKED_AT_START_BYTES = 64 * 1024 * 1024;
/** Tables that grow with use. In a large database they are checked while the relay runs. */
const GROWING = ["chat", "audit", "audit_removed"] as const;
const BATCH = 200;
const PAUSE_MS = 20;

/**
 * Checks a database that is about to be used: whole, or without the tables that grow when it is large.
 *
 * @returns the growing tables that are still to be checked
 * @throws Error for a damaged database: found later, it would cost what was written since
 */
export function checkAtStart(database: Database.Database, whole: boolean): readonly string[] {
  const tables = tablesOf(database);
  const growing = tables.filter((name) => GROWING.some((known) => known === name));
  const isWhole = whole || growing.length === 0 || sizeOf(database) <= CHECKED_AT_START_BYTES;
  const checked = isWhole ? tables : tables.filter((name) => !growing.includes(name));
  if (isWhole) quickCheck(database, "1");
  else for (const name of checked) quickCheck(database, `'${name}'`);
  for (const name of checked) checkTexts(database, name);
  return isWhole ? [] : growing;
}

/** Reads the texts of a table: SQLite does not notice where one is no UTF-8. */
function checkTexts(database: Database.Database, table: string): void {
  const readNext = readStep(database, table);
  for (let isDone = false; !isDone; ) isDone = readNext();
}

/** Returns the names of a database's tables. */
export function tablesOf(database: Database.Database): readonly string[] {
  const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return TableNames.parse(rows).map(({ name }) => name);
}

/**
 * Reads the given tables to their end, in steps between which the relay works on.
 *
 * @param failed called with the error of a damaged table, once
 * @returns a function that stops the check
 */
export function checkInBackground(
  database: Database.Database,
  tables: readonly string[],
  failed: (error: unknown) => void,
): () => void {
  const steps = tables.map((table) => readStep(database, table));
  let timer: NodeJS.Timeout | undefined;
  const next = () => {
    const [step] = steps;
    if (step === undefined) return;
    try {
      if (step()) steps.shift();
      timer = setTimeout(next, PAUSE_MS).unref();
    } catch (error) {
      failed(error);
    }
  };
  timer = setTimeout(next, PAUSE_MS).unref();
  return () => clearTimeout(timer);
}

/**
 * Returns a function that reads the texts of the next rows of a table, as one text. It returns true at the table's end. A table
 * without row ids is read at once.
 */
function readStep(database: Database.Database, table: string): () => boolean {
  const columns = Columns.parse(database.prepare(`SELECT name, type FROM pragma_table_info('${table}')`).all([]));
  const texts = columns.flatMap(({ name, type }) => (type === "BLOB" ? [] : [`"${name}"`]));
  const text = `concat_ws(char(10), ${texts})`;
  const { wr } = WithoutRowIds.parse(database.prepare("SELECT wr FROM pragma_table_list(?)").get([table]));
  const [id, range] = wr === 0 ? ["rowid", `WHERE rowid > ? ORDER BY rowid LIMIT ${BATCH}`] : ["NULL", "WHERE ? = 0"];
  const read = database.prepare(
    `SELECT max(id) AS last, group_concat(text, char(10)) AS "table ${table}" FROM (SELECT ${id} AS id, ${text} AS text FROM "${table}" ${range})`,
  );
  let after = 0;
  return () => {
    const { last } = LastRow.parse(read.get([after]));
    after = last ?? after;
    return last === null;
  };
}

function quickCheck(database: Database.Database, what: string): void {
  const { quick_check: found } = QuickCheckRow.parse(database.prepare(`PRAGMA quick_check(${what})`).get());
  if (found !== "ok") throw new Error(`the database is malformed: ${found}`);
}

function sizeOf(database: Database.Database): number {
  return SizeRow.parse(
    database.prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()").get(),
  ).bytes;
}

const TableNames = z.array(z.object({ name: z.string() }));
const Columns = z.array(z.object({ name: z.string(), type: z.string() }));
const WithoutRowIds = z.object({ wr: z.int() });
const LastRow = z.object({ last: z.int().nullable() });
const QuickCheckRow = z.object({ quick_check: z.string() });
const SizeRow = z.object({ bytes: z.int() });
