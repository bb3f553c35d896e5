import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { crc32 } from "node:zlib";
import Database from "libsql";
import { z } from "zod";
import { rulesVersion } from "../../system/redact-secrets.ts";
import { StoredBytes } from "../../system/stored-text.ts";
import type { MasterKey } from "../history/segment.ts";
import { outsideOfSequences } from "./text-docs.ts";
import { FILTER_FORM } from "./text-filter.ts";

export type IndexDatabase = Database.Database;

/** Failure of a value that is not what was written: SQLite does not notice what a disk changes within one. */
class DamagedValue extends Error {
  readonly code = "SQLITE_CORRUPT";
}

const SUM_BYTES = 4;

/** Returns bytes as they are stored: with a checksum. */
export function summed(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(SUM_BYTES);
  sum.writeUInt32LE(crc32(bytes));
  return Buffer.concat([bytes, sum]);
}

/** Bytes that were stored with their checksum; another one is damage of the file. */
export const SummedBytes = StoredBytes.transform((stored) => {
  const { buffer, byteOffset, byteLength } = stored;
  const bytes = stored.subarray(0, byteLength - SUM_BYTES);
  const isWhole =
    byteLength >= SUM_BYTES && new DataView(buffer, byteOffset).getUint32(bytes.length, true) === crc32(bytes);
  if (!isWhole) throw new DamagedValue("a value of the index does not agree with its checksum");
  return bytes;
});

/** Text of a column that a statement returns as bytes: see main/system/stored-text.ts. Other text than UTF-8 is damage. */
export const StoredText = StoredBytes.transform((bytes) => {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new DamagedValue("a text of the index is no UTF-8");
  }
});
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns a row by its schema; one that does not fit is damage of the file. */
export function storedRow<T>(schema: z.ZodType<T>, row: unknown): T {
  const { data, success } = schema.safeParse(row);
  if (success) return data;
  throw new DamagedValue("a row of the index has other columns");
}

/** A file of another version is made anew from the segments and the transcripts. */
const VERSION = 3;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const SCHEMA = `
  CREATE TABLE sessions (id INTEGER PRIMARY KEY, session TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE shells (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL,
    shell INTEGER NOT NULL,
    indexed INTEGER NOT NULL,
    state TEXT NOT NULL,
    UNIQUE (session_id, shell)
  ) STRICT;
  CREATE TABLE commands (
    shell_id INTEGER NOT NULL,
    output_from INTEGER NOT NULL,
    output_to INTEGER,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    exit_code INTEGER,
    sealed TEXT,
    typed_by TEXT,
    PRIMARY KEY (shell_id, output_from)
  ) STRICT;
  PRAGMA user_version = ${VERSION};
`;

/** Tables that depend on the rules by which texts are redacted, and on the form of the filters: made anew with them. */
const TEXTS = `
  CREATE TABLE docs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    shell_id INTEGER NOT NULL,
    starts INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX docs_by_place ON docs (shell_id, starts);
  CREATE TABLE conversations (
    id INTEGER PRIMARY KEY,
    agent_type TEXT NOT NULL,
    agent_session TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    cursor TEXT,
    sealed TEXT NOT NULL,
    UNIQUE (agent_type, agent_session)
  ) STRICT;
  CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    conversation_id INTEGER NOT NULL,
    cursor TEXT NOT NULL,
    at INTEGER NOT NULL,
    sealed BLOB NOT NULL
  ) STRICT;
  CREATE INDEX messages_by_conversation ON messages (conversation_id, id);
  CREATE TABLE message_parts (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id INTEGER NOT NULL) STRICT;
  CREATE INDEX parts_by_message ON message_parts (message_id);
  CREATE TABLE open_filters (
    set_id INTEGER NOT NULL,
    doc INTEGER NOT NULL,
    bits BLOB NOT NULL,
    UNIQUE (set_id, doc)
  ) STRICT;
  CREATE TABLE filter_blocks (
    id INTEGER PRIMARY KEY,
    set_id INTEGER NOT NULL,
    lowest INTEGER NOT NULL,
    highest INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    docs BLOB NOT NULL
  ) STRICT;
  CREATE INDEX blocks_by_set ON filter_blocks (set_id, highest);
  CREATE TABLE filter_slices (id INTEGER PRIMARY KEY, bits BLOB NOT NULL) STRICT;
  CREATE TABLE redactions (
    source TEXT NOT NULL,
    row INTEGER NOT NULL,
    at INTEGER NOT NULL,
    rule TEXT NOT NULL,
    length INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX redactions_by_row ON redactions (source, row);
`;

/** The segments of each shell that the index has taken in. An index that was made without this table is as good. */
const CAUGHT_UP = `
  CREATE TABLE IF NOT EXISTS caught_up (shell_id INTEGER PRIMARY KEY, stamp TEXT NOT NULL) STRICT;
`;

/** Tables of an index that was made by other rules or in another form, but for those of the commands. */
const OUTDATED = `
  SELECT CAST(name AS BLOB) AS name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('sessions', 'shells', 'commands')
    AND name NOT GLOB 'sqlite_*'
  ORDER BY sql LIKE 'CREATE VIRTUAL TABLE%' DESC
`;

/** Form of the file: another one makes the texts anew. */
const FILE_FORM = "incremental vacuum";
/** Value of `auto_vacuum` in a file of this form. */
const INCREMENTAL = 2;
/** Pages that the file gives back at a time: few, so that a search comes between. */
const SHRINK_PAGES = 512;
/** This part of the file may be free: what is indexed next takes it. */
const FREE_PART = 8;

/** Numbers that SQLite tells of a file. */
const PragmaRow = z
  .object({ auto_vacuum: z.int(), freelist_count: z.int(), page_count: z.int(), page_size: z.int() })
  .partial();

/** Failures that say nothing about the file. */
const PASSING = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM)/;

/** Failures that say that the file is damaged. */
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB)/;

/** Opens the index; a damaged one, and one of another version, is begun anew. */
export function openIndex(file: string): IndexDatabase {
  try {
    return opened(file);
  } catch (error) {
    if (PASSING.test(codeOf(error))) throw error;
    removeIndex(file);
    return opened(file);
  }
}

/** Returns whether a failure says that the file is damaged, which may show only when a part of it is read. */
export function isDamage(error: unknown): boolean {
  return DAMAGE.test(codeOf(error));
}

/** Removes an index that is not open. It is made anew from the segments and the transcripts. */
export function removeIndex(file: string): void {
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
}

/** Returns how many bytes of the file hold something. */
export function usedBytes(database: IndexDatabase): number {
  const pages = pragmaOf(database, "page_count") - pragmaOf(database, "freelist_count");
  return pages * pragmaOf(database, "page_size");
}

/**
 * Gives back to the disk a few of the pages that hold nothing, where they are many.
 *
 * @returns whether there are more to give back
 */
export function shrinkFile(database: IndexDatabase): boolean {
  const free = pragmaOf(database, "freelist_count");
  if (!isLoose(database)) return false;
  database.pragma(`incremental_vacuum(${SHRINK_PAGES})`);
  const isMore = pragmaOf(database, "freelist_count") < free && isLoose(database);
  // The file gets shorter when it takes over the log, which would itself stay as long as it is.
  if (!isMore) database.pragma("wal_checkpoint(TRUNCATE)");
  return isMore;
}

function isLoose(database: IndexDatabase): boolean {
  return pragmaOf(database, "freelist_count") * FREE_PART > pragmaOf(database, "page_count");
}

function pragmaOf(database: IndexDatabase, name: keyof z.infer<typeof PragmaRow>): number {
  const [row] = database.prepare(`PRAGMA ${name}`).all([]);
  return PragmaRow.parse(row)[name] ?? 0;
}

/** Makes a change as a whole or not at all. Throws the cause, also where SQLite has rolled it back by itself. */
export function asOne(database: IndexDatabase, change: () => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    change();
    database.exec("COMMIT");
  } catch (error) {
    if (database.inTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Returns shells as statements take them; null for all. */
export function shellList(among: readonly number[] | undefined): string | null {
  return among === undefined ? null : JSON.stringify(among);
}

function opened(file: string): IndexDatabase {
  const database = new Database(file);
  try {
    database.pragma("busy_timeout = 2000");
    // Before anything else: a new file has this form from its first page on.
    database.pragma("auto_vacuum = INCREMENTAL");
    database.pragma("journal_mode = WAL");
    // What a power failure costs is indexed again.
    database.pragma("synchronous = OFF");
    const { user_version: version } = database.prepare("PRAGMA user_version").get([]) as { user_version: number };
    if (version === 0) asOne(database, () => database.exec(SCHEMA));
    else if (version !== VERSION) throw new Error(`an index of version ${version}`);
    asOne(database, () => {
      beginTexts(database);
      database.exec(CAUGHT_UP);
    });
    // A file of before never got shorter. Its texts were dropped with its form, so that little is copied.
    if (pragmaOf(database, "auto_vacuum") !== INCREMENTAL) database.exec("VACUUM");
    for (const name of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(name)) chmodSync(name, 0o600);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Forgets the texts that were redacted by other rules or indexed in another form, so that they are indexed again. What only
 * the relay has told, who entered a command, stays.
 */
function beginTexts(database: IndexDatabase): void {
  const form = crc32(`${TEXTS}\n${FILE_FORM}\n${FILTER_FORM}\n${rulesVersion()}`) | 1;
  const { application_id: known } = database.prepare("PRAGMA application_id").get([]) as { application_id: number };
  if (known === form) return;
  // A virtual table takes its own tables with it.
  const names = database.prepare(OUTDATED).all([]);
  for (const row of names) database.exec(`DROP TABLE IF EXISTS "${z.object({ name: StoredText }).parse(row).name}"`);
  database.exec(`
    ${TEXTS}
    UPDATE commands SET sealed = NULL WHERE sealed IS NOT NULL;
    PRAGMA application_id = ${form};
  `);
  database.prepare("UPDATE shells SET indexed = 0, state = ?").run([JSON.stringify(outsideOfSequences(0))]);
}

/** Encrypts what the index keeps in words. */
export class Sealer {
  readonly #key: Buffer;

  constructor({ bytes }: MasterKey) {
    this.#key = Buffer.from(hkdfSync("sha256", bytes, "", "patchbay history index", 32));
  }

  /** Returns the encrypted text in base64. */
  seal(text: string): string {
    return this.sealBytes(Buffer.from(text)).toString("base64");
  }

  sealBytes(bytes: Uint8Array): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce);
    const sealed = [cipher.update(bytes), cipher.final()];
    return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]);
  }

  /** Returns undefined for what was sealed with another key. */
  open(text: string): string | undefined {
    return this.openBytes(Buffer.from(text, "base64"))?.toString();
  }

  openBytes(sealed: Uint8Array): Buffer | undefined {
    try {
      const decipher = createDecipheriv("aes-256-gcm", this.#key, sealed.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
      const opened = decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES));
      return Buffer.concat([opened, decipher.final()]);
    } catch {
      return undefined;
    }
  }
}
