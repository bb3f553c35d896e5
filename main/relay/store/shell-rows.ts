import { z } from "zod";
import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import { Shell } from "../../../core/protocol/records.ts";
import { ShellEndCause } from "../../../core/protocol/restore.ts";
import { json, readableRecords } from "./columns.ts";
import type { StoreDatabase } from "./open-store.ts";

/** How a shell was started, so that it can be started again. */
export const ShellStart = z.object({
  /** A program in place of a shell. */
  exec: z.array(z.string()).optional(),
  /** Its first command line. */
  command: z.string().optional(),
  /** The variables that were given with it. */
  env: z.record(z.string(), z.string()).default({}),
  /** Names of the variables that were given with it and are not kept, because they may hold secrets. */
  withheld: z.array(z.string()).default([]),
  /** Somebody other than the session's owner started it, or a client whose rights were lowered since. */
  byGuest: z.boolean().default(true),
});
export type ShellStart = Readonly<z.infer<typeof ShellStart>>;

/** How a shell ended. */
export const ShellEnding = z.object({
  cause: ShellEndCause,
  /** Null where it ended while no relay ran. */
  at: z.iso.datetime().nullable(),
  /** The program that was in the foreground. */
  process: z.string().nullable().default(null),
  /** The user does not want it back. */
  dismissed: z.literal(true).optional(),
});
export type ShellEnding = Readonly<z.infer<typeof ShellEnding>>;

/** A shell with how it was started and how it ended, as far as that is known. */
export interface StoredShell {
  readonly shell: Shell;
  readonly start: ShellStart | undefined;
  readonly ending: ShellEnding | undefined;
}

/** Tables `shells` and `restore_folders`. */
export class ShellRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Returns the shells of a session by id. */
  list(session: SessionId): Shell[] {
    const statement = this.#database.prepare("SELECT record FROM shells WHERE session_id = ? ORDER BY id");
    return readableRecords(Shell, statement.all([session]));
  }

  /** Returns the shells of a session by id, with how they were started and ended. */
  listStored(session: SessionId): StoredShell[] {
    const statement = this.#database.prepare(
      "SELECT record, start, ending FROM shells WHERE session_id = ? ORDER BY id",
    );
    return statement.all([session]).flatMap((row) => {
      const { data } = StoredRow.safeParse(row);
      return data === undefined ? [] : [{ shell: data.record, start: data.start, ending: data.ending }];
    });
  }

  /** Stores a shell's record, and in the same write how it was started or ended, where that is given. */
  put(session: SessionId, shell: Shell, more: { start?: ShellStart; ending?: ShellEnding } = {}): void {
    const [start, ending] = [more.start, more.ending].map((part) => (part === undefined ? null : JSON.stringify(part)));
    this.#database
      .prepare(
        `INSERT INTO shells (session_id, id, record, start, ending) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET record = excluded.record, start = coalesce(excluded.start, start),
          ending = coalesce(excluded.ending, ending)`,
      )
      .run([session, shell.id, JSON.stringify(shell), start ?? null, ending ?? null]);
  }

  remove(session: SessionId, id: ShellId): void {
    this.#database.prepare("DELETE FROM shells WHERE session_id = ? AND id = ?").run([session, id]);
  }

  /** The folders whose shells start again by themselves, with the lines that may resume agents there. */
  restoredFolders(session: SessionId): ReadonlyMap<string, readonly string[]> {
    const statement = this.#database.prepare("SELECT folder, lines FROM restore_folders WHERE session_id = ?");
    const rows = z.array(FolderRow).parse(statement.all([session]));
    return new Map(rows.map(({ folder, lines }) => [folder, lines]));
  }

  /** @param lines - that may resume agents in this folder; undefined to have its shells start by themselves no more */
  setRestored(session: SessionId, folder: string, lines: readonly string[] | undefined): void {
    if (lines === undefined) {
      const statement = this.#database.prepare("DELETE FROM restore_folders WHERE session_id = ? AND folder = ?");
      statement.run([session, folder]);
      return;
    }
    const statement = this.#database.prepare(
      "INSERT INTO restore_folders (session_id, folder, lines) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET lines = excluded.lines",
    );
    statement.run([session, folder, JSON.stringify(lines)]);
  }
}

/** A column that may be empty, or hold what another version wrote differently. */
function optional<Schema extends z.ZodType>(schema: Schema) {
  return z
    .union([json(schema), z.null().transform(() => undefined)])
    .optional()
    .catch(undefined);
}

const StoredRow = z.object({ record: json(Shell), start: optional(ShellStart), ending: optional(ShellEnding) });
const FolderRow = z.object({ folder: z.string(), lines: json(z.array(z.string()).catch([])) });
