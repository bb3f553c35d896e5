import { z } from "zod";
import type { SessionId } from "../../../core/protocol/ids.ts";
import { durably } from "./keep-synced.ts";
import type { StoreDatabase } from "./open-store.ts";

/** A plugin as it is on disk. */
export interface PluginRow {
  readonly id: string;
  /** What the manifest said, as JSON. */
  readonly manifest: string;
  readonly manifestUrl: string;
  readonly entryUrl: string;
  /** Of the entry page when it was installed, in hex. */
  readonly entrySha256: string;
  /** Methods that the user has allowed. */
  readonly allowed: readonly string[];
  /** What the user was asked about when he answered last; null before he has. */
  readonly answered: Asked | null;
  readonly installedAt: string;
  readonly updatedAt: string;
}

/** What a manifest asks the user for. */
export interface Asked {
  readonly permissions: readonly string[];
  readonly events: readonly string[];
}

/** The plugins of each session, on disk when a method returns. */
export class PluginRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** By id. */
  of(session: SessionId): PluginRow[] {
    return this.#database
      .prepare(`SELECT ${COLUMNS} FROM plugins WHERE session_id = ? ORDER BY id`)
      .all([session])
      .map((row) => rowOf(row));
  }

  get(session: SessionId, id: string): PluginRow | undefined {
    const row = this.#database
      .prepare(`SELECT ${COLUMNS} FROM plugins WHERE session_id = ? AND id = ?`)
      .get([session, id]);
    return row === undefined ? undefined : rowOf(row);
  }

  /** The entry page as it was fetched; undefined where there is no such plugin, or it was installed without its page. */
  entry(session: SessionId, id: string): Buffer | undefined {
    const row = this.#database.prepare("SELECT entry FROM plugins WHERE session_id = ? AND id = ?").get([session, id]);
    const { entry } = Entry.parse(row ?? { entry: null });
    return entry === null ? undefined : Buffer.from(entry);
  }

  /** What the user has answered. */
  answer(session: SessionId, id: string, { allowed, answered }: Pick<PluginRow, "allowed" | "answered">): void {
    const statement = this.#database.prepare(
      "UPDATE plugins SET allowed = ?, answered = ? WHERE session_id = ? AND id = ?",
    );
    durably(this.#database, () => statement.run([JSON.stringify(allowed), JSON.stringify(answered), session, id]));
  }

  /** Adds a plugin or replaces the one of its id. False when the session is no longer there. */
  put(session: SessionId, row: PluginRow, entry: Buffer): boolean {
    const statement = this.#database.prepare(
      `INSERT OR REPLACE INTO plugins
        (session_id, id, manifest, manifest_url, entry_url, entry_sha256, allowed, answered, installed_at, updated_at, entry)
      SELECT sessions.id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM sessions WHERE sessions.id = ?`,
    );
    const values = [
      row.id,
      row.manifest,
      row.manifestUrl,
      row.entryUrl,
      row.entrySha256,
      JSON.stringify(row.allowed),
      row.answered === null ? null : JSON.stringify(row.answered),
      row.installedAt,
      row.updatedAt,
      entry,
      session,
    ];
    return durably(this.#database, () => statement.run(values).changes > 0);
  }

  remove(session: SessionId, id: string): void {
    this.#database.prepare("DELETE FROM plugins WHERE session_id = ? AND id = ?").run([session, id]);
  }
}

const COLUMNS = "id, manifest, manifest_url, entry_url, entry_sha256, allowed, answered, installed_at, updated_at";

const Entry = z.object({ entry: z.instanceof(Uint8Array).nullable() });

const AskedSchema = z.object({ permissions: z.array(z.string()), events: z.array(z.string()) });

const Columns = z
  .object({
    id: z.string(),
    manifest: z.string(),
    manifest_url: z.string(),
    entry_url: z.string(),
    entry_sha256: z.string(),
    allowed: z.string(),
    answered: z.string().nullable(),
    installed_at: z.string(),
    updated_at: z.string(),
  })
  .transform(({ id, manifest, ...row }): PluginRow => {
    const allowed = z.array(z.string()).parse(JSON.parse(row.allowed));
    return {
      id,
      manifest,
      manifestUrl: row.manifest_url,
      entryUrl: row.entry_url,
      entrySha256: row.entry_sha256,
      allowed,
      answered: row.answered === null ? null : AskedSchema.parse(JSON.parse(row.answered)),
      installedAt: row.installed_at,
      updatedAt: row.updated_at,
    };
  });

function rowOf(row: unknown): PluginRow {
  return Columns.parse(row);
}
