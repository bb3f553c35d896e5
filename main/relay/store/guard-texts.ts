import type Database from "libsql";
import { z } from "zod";
import { isRecord } from "../../../core/protocol/json-value.ts";
import { StoredBytes } from "../../system/stored-text.ts";

/** A text in the database is none: SQLite itself does not notice what a disk changes within one. */
class DamagedText extends Error {
  override readonly name = "DamagedText";
  readonly code = "SQLITE_CORRUPT";
}

/** A statement as it is prepared in the place of another one. */
interface GuardedStatement {
  readonly sql: string;
  /** Its columns whose values may be texts, by their place. */
  readonly texts: ReadonlyMap<number, string>;
}

/**
 * Makes the queries of a database throw where a text that they return is no UTF-8: libsql ends the whole process there. Such
 * a statement is prepared as one that returns texts as bytes. One that changes something must not return text.
 *
 * @throws Error for a schema that is no UTF-8
 */
export function guardTexts(database: Database.Database): void {
  const prepare = database.prepare.bind(database);
  // The names of columns and tables would end the process too.
  SchemaRow.parse(prepare(`SELECT CAST(coalesce(${SCHEMA}, '') AS BLOB) AS texts FROM sqlite_schema`).get([]));
  const guarded = new Map<string, GuardedStatement>();
  const prepareGuarded = (sql: string) => {
    if (!isQuery(sql)) return prepare(sql);
    const known = guarded.get(sql) ?? guard(sql, prepare(sql).columns());
    guarded.set(sql, known);
    const statement = prepare(known.sql);
    const [get, all] = [statement.get.bind(statement), statement.all.bind(statement)];
    statement.get = (...values) => withTexts(get(...values), known.texts);
    statement.all = (...values) => all(...values).map((row) => withTexts(row, known.texts));
    return statement;
  };
  database.prepare = prepareGuarded as Database.Database["prepare"];
}

const SCHEMA = "group_concat(concat_ws(char(10), name, tbl_name, sql), char(10))";

function isQuery(sql: string): boolean {
  return /^\s*(?:SELECT|WITH)\b/.test(sql) && !/\bRETURNING\b/.test(sql);
}

function guard(
  sql: string,
  columns: readonly { readonly name: string; readonly type: string | null }[],
): GuardedStatement {
  const names = columns.map((_, place) => `c${place}`);
  const results = columns.map(
    ({ name }, place) =>
      `CASE typeof(c${place}) WHEN 'text' THEN CAST(c${place} AS BLOB) ELSE c${place} END AS "${name}"`,
  );
  const texts = columns.flatMap(({ name, type }, place) => (type === "BLOB" ? [] : [[place, name] as const]));
  return { sql: `WITH guarded (${names}) AS (${sql}) SELECT ${results} FROM guarded`, texts: new Map(texts) };
}

/** Puts the texts into a row, which is an object, or a list of values. */
function withTexts(row: unknown, texts: GuardedStatement["texts"]): unknown {
  if (Array.isArray(row)) for (const [place, name] of texts) row[place] = textOf(row[place], name);
  else if (isRecord(row)) for (const name of texts.values()) row[name] = textOf(row[name], name);
  return row;
}

function textOf(value: unknown, name: string): unknown {
  if (!(value instanceof Uint8Array || value instanceof ArrayBuffer)) return value;
  try {
    return UTF8.decode(value);
  } catch {
    throw new DamagedText(`the database is malformed: it has text that is no UTF-8 in ${name}`);
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const SchemaRow = z.object({ texts: StoredBytes.transform((texts) => textOf(texts, "its schema")) });
