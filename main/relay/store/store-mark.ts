import { closeSync, copyFileSync, existsSync, openSync, readFileSync, readSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../../system/write-atomically.ts";

const MARK_FILE = "store.json";

const StoreMark = z.object({
  /** Id in the database. */
  id: z.string(),
  /** A relay uses the database, or was killed while it did: its write-ahead log holds what is not in the database yet. */
  inUse: z.boolean(),
  /** Damage was found while the relay ran: the next start checks the whole database, however large. */
  damaged: z.literal(true).optional(),
});
type StoreMark = z.infer<typeof StoreMark>;

/** The first bytes of a write-ahead log of SQLite; the last bit says in which byte order its checksums are. */
const WAL_MAGIC = 0x377f0682;

/** Returns the sign that a data folder has a database with content; undefined where it never had one. */
export function readStoreMark(folder: string): StoreMark | undefined {
  try {
    return StoreMark.safeParse(JSON.parse(readFileSync(join(folder, MARK_FILE), "utf8"))).data;
  } catch {
    return undefined;
  }
}

/** Marks the folder as one whose database has content. @throws the system's error */
export function markStore(folder: string, mark: StoreMark): void {
  writeAtomically(join(folder, MARK_FILE), `${JSON.stringify(mark)}\n`);
}

/** Notes that the database was closed in order. A full disk only costs the note. */
export function markStoreClosed(folder: string): void {
  const mark = readStoreMark(folder);
  if (mark?.inUse !== true) return;
  try {
    markStore(folder, { ...mark, inUse: false });
  } catch {
    // The next start then expects a log where there is none, and says so.
  }
}

/**
 * Puts aside what is left of a lost database, before it is opened: SQLite would take an empty file for a new database, and
 * ignore a log that is none.
 *
 * @returns what is wrong, as a sentence; undefined when nothing is
 */
export function findLostFiles(folder: string): string | undefined {
  const mark = readStoreMark(folder);
  if (mark === undefined) return undefined;
  const file = join(folder, "patchbay.db");
  const wal = `${file}-wal`;
  const size = sizeOf(file);
  if (size === undefined || size === 0) {
    const aside = putAside(file);
    const found = `The database ${file} is ${size === 0 ? "empty" : "missing"}, although Patchbay has used this folder`;
    return `${found}, and a new one was started: sessions, keys, chat and layouts are gone.${keptAs(aside)}`;
  }
  if (!mark.inUse || isLog(wal)) return undefined;
  const was = existsSync(wal) ? "unreadable" : "missing";
  const aside = copyAside(file, ["-wal", "-shm"]);
  return `The log ${wal} of the database is ${was}, although Patchbay was not stopped in order: what was saved last may be gone.${keptAs(aside)}`;
}

/** Moves the files of a database away. @returns the path of the first; undefined where there was none */
export function putAside(file: string, suffixes: readonly string[] = ["", "-wal", "-shm"]): string | undefined {
  const aside = asideOf(file);
  const found = suffixes.filter((suffix) => existsSync(file + suffix));
  for (const suffix of found) renameSync(file + suffix, aside + suffix);
  const [first] = found;
  return first === undefined ? undefined : aside + first;
}

/**
 * Copies files of a database. They are not moved, because another process may have the database open and would go on
 * writing to a log that no other process reads; SQLite itself takes a log that is none for an empty one.
 *
 * @returns the path of the first; undefined where there was none
 */
function copyAside(file: string, suffixes: readonly string[]): string | undefined {
  const aside = asideOf(file);
  const found = suffixes.filter((suffix) => existsSync(file + suffix));
  for (const suffix of found) copyFileSync(file + suffix, aside + suffix);
  const [first] = found;
  return first === undefined ? undefined : aside + first;
}

function asideOf(file: string): string {
  return `${file}.damaged-${new Date().toISOString().replace(/[:.]/g, "-")}`;
}

function keptAs(aside: string | undefined): string {
  return aside === undefined ? "" : ` What was left is kept as ${aside}.`;
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}

function isLog(file: string): boolean {
  const head = Buffer.alloc(4);
  try {
    const handle = openSync(file, "r");
    try {
      return readSync(handle, head, 0, 4, 0) === 4 && (head.readUInt32BE(0) & ~1) >>> 0 === WAL_MAGIC;
    } finally {
      closeSync(handle);
    }
  } catch {
    return false;
  }
}
