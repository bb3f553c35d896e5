import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, rmSync, statSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { RemoteName, RemoteRecord } from "../core/protocol/machines.ts";
import { listFolder, readRegularFile } from "../main/system/regular-files.ts";
import { writeAtomically } from "../main/system/write-atomically.ts";

const FOLDER = "remotes";
const SUFFIX = ".json";
const MAX_RECORD_BYTES = 256 * 1024;
const MAX_REMOTES = 1000;

/** A relay of another machine, by the name that the user gave it. */
export interface Remote extends RemoteRecord {
  readonly name: string;
  /** When it last answered (ISO 8601). */
  readonly lastSeen: string;
}

/** A record whose file cannot be used. */
export interface DamagedRemote {
  readonly name: string;
  readonly damaged: true;
}

/** The name is taken. */
export class RemoteExistsError extends Error {
  override readonly name = "RemoteExistsError";
}

/**
 * The remotes of a data folder (docs/decisions/0023): one private file for each, so that no change needs a lock. A new
 * name is claimed by a hard link, which fails where the name is taken. The time of the last answer is the file's time of
 * modification: to note it changes no content, and cannot bring back a record that was removed meanwhile.
 */
export class Remotes {
  readonly #folder: string;

  constructor(data: string) {
    this.#folder = join(data, FOLDER);
  }

  /** Every remote, by name. */
  list(): (Remote | DamagedRemote)[] {
    return this.names().flatMap((name) => this.find(name) ?? []);
  }

  names(): string[] {
    return namesIn(this.#folder)
      .filter((file) => file.endsWith(SUFFIX))
      .map((file) => file.slice(0, -SUFFIX.length))
      .filter((name) => RemoteName.safeParse(name).success)
      .sort();
  }

  /** Undefined where no remote has this name. */
  find(name: string): Remote | DamagedRemote | undefined {
    if (!RemoteName.safeParse(name).success) return undefined;
    try {
      const file = this.#file(name);
      const text = readRegularFile(file, MAX_RECORD_BYTES).toString("utf8");
      return { ...RemoteRecord.parse(JSON.parse(text)), name, lastSeen: statSync(file).mtime.toISOString() };
    } catch (error) {
      return isMissing(error) ? undefined : { name, damaged: true };
    }
  }

  /** Adds a remote that answered just now. @throws RemoteExistsError */
  add(name: string, record: RemoteRecord): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const draft = join(this.#folder, `.${randomBytes(8).toString("hex")}`);
    writeAtomically(draft, serialize(record));
    try {
      this.#claim(draft, name);
    } finally {
      rmSync(draft, { force: true });
    }
  }

  /** Replaces the record of a remote that answered just now. */
  update(name: string, record: RemoteRecord): void {
    writeAtomically(this.#file(name), serialize(record));
  }

  /** @throws RemoteExistsError */
  rename(from: string, to: string): void {
    this.#claim(this.#file(from), to);
    unlinkSync(this.#file(from));
  }

  remove(name: string): void {
    unlinkSync(this.#file(name));
  }

  /** Notes that a remote answers. What cannot be noted is left: the command itself worked. */
  noteSeen(name: string, now = new Date()): void {
    try {
      utimesSync(this.#file(name), now, now);
    } catch {
      // Removed meanwhile, or the disk is read-only.
    }
  }

  #claim(file: string, name: string): void {
    try {
      linkSync(file, this.#file(name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      throw new RemoteExistsError(`There is a remote called ${name} already.`, { cause: error });
    }
  }

  #file(name: string): string {
    return join(this.#folder, name + SUFFIX);
  }
}

/** Returns the id of a new record. */
export function newRemoteId(): string {
  return randomBytes(8).toString("hex");
}

/** The account of a remote's key in the OS keychain. */
export function remoteKeyAccount({ id }: Pick<RemoteRecord, "id">): string {
  return `remote:${id}`;
}

function serialize(record: RemoteRecord): string {
  return `${JSON.stringify(RemoteRecord.parse(record), null, 2)}\n`;
}

function namesIn(folder: string): string[] {
  try {
    return listFolder(folder, MAX_REMOTES);
  } catch {
    return [];
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR";
}
