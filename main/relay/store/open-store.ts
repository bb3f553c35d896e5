import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "libsql";
import { errorText } from "../../../core/protocol/error-text.ts";
import { checkAtStart, tablesOf } from "./check-rows.ts";
import { isDamage, mapDiskErrors } from "./disk-errors.ts";
import { guardTexts } from "./guard-texts.ts";
import { migrations } from "./migrations.ts";
import { findLostFiles, putAside, readStoreMark } from "./store-mark.ts";

export type StoreDatabase = Database.Database;

/** Tables that other rooms keep in the same database, by the room's name: its steps, of which none ever changes. */
type RoomMigrations = Readonly<Record<string, readonly string[]>>;

interface OpenedStore {
  readonly database: StoreDatabase;
  /** What of the last run is lost, as a sentence: the database was damaged, empty or missing. */
  readonly lost: string | undefined;
  /** Tables of a large database that are still to be checked. */
  readonly unchecked: readonly string[];
  /** Has the first damage told that a statement meets from now on. */
  readonly watchDamage: (found: (error: unknown) => void) => void;
}

/** The data folder cannot be used; the message says why and what to do. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** The store is being set up by a relay that starts, or is used by a relay of an older version. */
export class StoreNotReady extends StoreError {
  constructor(file: string) {
    super(`The database ${file} is used by an older version of Patchbay: restart Patchbay, then try again.`);
  }
}

/**
 * Opens the store of a data folder, made private to its user, and brings its schema up to date; a copy of an older one is
 * kept. A damaged database is kept aside and a fresh one started. Throws a StoreError when the folder cannot be written,
 * or was written by a newer version of Patchbay.
 */
export function openStore(folder: string, rooms: RoomMigrations = {}): OpenedStore {
  makePrivateFolder(folder);
  const file = join(folder, "patchbay.db");
  const mark = readStoreMark(folder);
  try {
    const lost = findLostFiles(folder);
    const opened = openAndMigrate(file, rooms, mark?.damaged === true);
    return { ...opened, lost: lost ?? findExchanged(opened.database, file, mark?.id) };
  } catch (error) {
    if (error instanceof StoreError) throw error;
    if (isDiskTrouble(error)) {
      throw new StoreError(
        `The database ${file} cannot be opened (${errorText(error)}): the disk is full or fails; free some space, then start again.`,
      );
    }
    if (/database is locked/.test(errorText(error)))
      throw new StoreError(`Another program holds the database ${file}: end that program, then start again.`);
    if (!isDamage(error)) throw new StoreError(`The database ${file} cannot be opened: ${errorText(error)}.`);
    const aside = putAside(file);
    // What SQLite's own check finds has several lines.
    const what = errorText(error).replace(/\s+/g, " ");
    const lost = `The database was damaged (${what}). It is kept as ${aside}, and a fresh one was started.`;
    return { ...openAndMigrate(file, rooms, true), lost };
  }
}

/** Returns a sentence for a database that is not the one that the folder had. */
function findExchanged(database: StoreDatabase, file: string, id: string | undefined): string | undefined {
  const row = database.prepare("SELECT value FROM meta WHERE key = 'relay_id'").get() as { value: string } | undefined;
  if (id === undefined || row?.value === id) return undefined;
  return `The database ${file} is not the one that Patchbay used in this folder before: what that one held is gone.`;
}

/**
 * Opens the store that a running relay uses. Neither repairs it nor changes its schema: that is the relay's to do, before
 * it uses the store. Throws a StoreError; a StoreNotReady while the schema is not the one that this version knows.
 */
export function openStoreInUse(folder: string): StoreDatabase {
  const file = join(folder, "patchbay.db");
  const database = openFile(file);
  try {
    prepare(database);
    const version = versionOf(database);
    checkVersion(file, version, migrations.length);
    if (version < migrations.length) throw new StoreNotReady(file);
    mapDiskErrors(database);
    return database;
  } catch (error) {
    database.close();
    if (error instanceof StoreError) throw error;
    throw new StoreError(
      `The database ${file} cannot be used (${errorText(error)}): restart Patchbay, which checks it at its start.`,
    );
  }
}

/** Makes a data folder where there is none, and keeps others out of it. Throws a StoreError. */
export function makePrivateFolder(folder: string): void {
  try {
    makeFolders(folder);
    chmodSync(folder, 0o700);
  } catch (error) {
    throw new StoreError(
      `The data folder ${folder} cannot be written (${errorText(error)}): make it writable, or choose another with --data.`,
    );
  }
}

/** Makes a folder and those above it. Node's own way tries for ever where none can be made, as in /proc. */
function makeFolders(folder: string): void {
  const isThere = () => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  if (dirname(folder) !== folder) makeFolders(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isThere()) throw error;
  }
}

function openAndMigrate(file: string, rooms: RoomMigrations, whole: boolean): Omit<OpenedStore, "lost"> {
  let found: ((error: unknown) => void) | undefined;
  const database = openFile(file);
  try {
    prepare(database);
    const unchecked = checkAtStart(database, whole);
    const version = versionOf(database);
    checkVersion(file, version, migrations.length);
    if (version < 0 || (version === 0 && tablesOf(database).length > 0))
      throw new Error(`the database is malformed: it has tables, and says schema ${version}`);
    if (version > 0 && version < migrations.length) keepCopy(database, file, version);
    migrate(database, version);
    for (const [room, steps] of Object.entries(rooms)) migrateRoom(database, file, { room, steps });
    // A fresh one has what the steps have just made.
    if (version > 0) checkTables(database, rooms);
    // What cannot be written is found before anything else is opened.
    execute(database, "");
    for (const name of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(name)) chmodSync(name, 0o600);
    mapDiskErrors(database, (error) => {
      found?.(error);
      found = undefined;
    });
    return {
      ...{ database, unchecked },
      watchDamage(listener) {
        found = listener;
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepare(database: StoreDatabase): void {
  database.pragma("busy_timeout = 2000");
  database.pragma("journal_mode = WAL");
  // In WAL mode this survives the death of the process; for a power cut see keep-synced.ts.
  database.pragma("synchronous = NORMAL");
  // Pages, 32 MiB, after which the log is written back: eight times SQLite's own, since callers wait for it, and a copy of the
  // folder that is taken meanwhile may be damaged (docs/reliability.md).
  database.pragma("wal_autocheckpoint = 8192");
  database.pragma("foreign_keys = ON");
  guardTexts(database);
}

function openFile(file: string): StoreDatabase {
  try {
    return new Database(file);
  } catch (error) {
    if (isDamage(error)) throw error;
    throw new StoreError(
      `The database ${file} cannot be opened (${errorText(error)}): make its folder writable, or choose another with --data.`,
    );
  }
}

/**
 * Copies a database beside itself before its schema changes: an older version of Patchbay refuses it afterwards. Appears
 * as a whole or not at all.
 */
function keepCopy(database: StoreDatabase, file: string, version: number): void {
  const copy = `${file}.schema-${version}`;
  const unfinished = `${copy}.new`;
  rmSync(unfinished, { force: true });
  database.prepare("VACUUM INTO ?").run([unfinished]);
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, copy);
}

function migrate(database: StoreDatabase, version: number): void {
  const steps = migrations.map((step, index) => `${step}; PRAGMA user_version = ${index + 1}`);
  // A fresh database holds nothing between two steps: it gets all of them at once, which takes half the time.
  if (version === 0) execute(database, steps.join(";"));
  else for (const step of steps.slice(version)) execute(database, step);
}

/** Executes a step as a whole or not at all. One that fails must not keep the database locked until the process ends. */
function execute(database: StoreDatabase, sql: string): void {
  database.transaction(() => database.exec(sql)).immediate();
}

function versionOf(database: StoreDatabase): number {
  return Number((database.prepare("PRAGMA user_version").get() as { user_version: number }).user_version);
}

function migrateRoom(
  database: StoreDatabase,
  file: string,
  { room, steps }: { room: string; steps: readonly string[] },
): void {
  const row = database.prepare("SELECT value FROM meta WHERE key = ?").get([`schema of ${room}`]);
  const version = Number((row as { value: string } | undefined)?.value ?? 0);
  checkVersion(file, version, steps.length);
  for (const [index, step] of steps.entries()) {
    if (index < version) continue;
    const note = `INSERT OR REPLACE INTO meta (key, value) VALUES ('schema of ${room}', '${index + 1}')`;
    execute(database, `${step}; ${note}`);
  }
}

/** Throws an Error for a database without a table that its steps have made: each statement about it would fail later. */
function checkTables(database: StoreDatabase, rooms: RoomMigrations): void {
  const model = new Database(":memory:");
  try {
    for (const step of [...migrations, ...Object.values(rooms).flat()]) model.exec(step);
    const found = new Set(tablesOf(database));
    const missing = tablesOf(model).filter((name) => !found.has(name));
    if (missing.length > 0) throw new Error(`the database is malformed: it has no table ${missing.join(", ")}`);
  } finally {
    model.close();
  }
}

function checkVersion(file: string, found: number, known: number): void {
  if (found <= known) return;
  throw new StoreError(
    `The data in ${file} was written by a newer version of Patchbay (schema ${found}, this one knows ${known}): update Patchbay, or choose another folder with --data.`,
  );
}

function isDiskTrouble(error: unknown): boolean {
  return /disk is full|disk I\/O error|SQLITE_FULL|SQLITE_IOERR/i.test(
    `${errorText(error)} ${(error as { code?: string }).code ?? ""}`,
  );
}
