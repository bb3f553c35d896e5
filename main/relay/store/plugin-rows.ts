import { z } from "zod";
import type { SessionId } from "../../../core/protocol/ids.ts";
import { json } from "./columns.ts";
import { durably } from "./keep-synced.ts";
import type { StoreDatabase } from "./open-store.ts";

const PluginRow = z.object({
  id: z.string(),
  /** The manifest, as JSON. */
  manifest: z.string(),
  manifestUrl: z.string(),
  entryUrl: z.string(),
  /** SHA-256 of the entry page when it was installed, in hex. */
  entrySha256: z.string(),
  /** Methods that the user has allowed. */
  allowed: json(z.array(z.string()).readonly()),
  /** What the manifest asked for when the user last answered; null before the first answer. */
  answered: json(z.object({ permissions: z.array(z.string()), events: z.array(z.string()) })).nullable(),
  installedAt: z.string(),
  updatedAt: z.string(),
});
export type PluginRow = Readonly<z.infer<typeof PluginRow>>;

/** Identifies the plugin that values belong to. */
interface PluginOfSession {
  readonly session: SessionId;
  readonly plugin: string;
}

const COLUMNS = `id, manifest, manifest_url AS manifestUrl, entry_url AS entryUrl, entry_sha256 AS entrySha256, allowed,
  answered, installed_at AS installedAt, updated_at AS updatedAt`;

/** Tables `plugins` and `plugin_values`. Every write except a removal is durable. */
export class PluginRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Returns the plugins of a session by id. */
  list(session: SessionId): PluginRow[] {
    const statement = this.#database.prepare(`SELECT ${COLUMNS} FROM plugins WHERE session_id = ? ORDER BY id`);
    return z.array(PluginRow).parse(statement.all([session]));
  }

  get(session: SessionId, id: string): PluginRow | undefined {
    const statement = this.#database.prepare(`SELECT ${COLUMNS} FROM plugins WHERE session_id = ? AND id = ?`);
    return PluginRow.optional().parse(statement.get([session, id]));
  }

  /** Returns the entry page as it was fetched; undefined for an unknown plugin or one of an older version. */
  getEntry(session: SessionId, id: string): Buffer | undefined {
    const statement = this.#database.prepare("SELECT entry FROM plugins WHERE session_id = ? AND id = ?");
    const entry = EntryRow.optional().parse(statement.get([session, id]))?.entry ?? undefined;
    return entry === undefined ? undefined : Buffer.from(entry);
  }

  /** Adds a plugin or replaces the one of its id. Returns false if the session no longer exists. */
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

  /** Records the user's answer. */
  setAnswer(session: SessionId, id: string, { allowed, answered }: Pick<PluginRow, "allowed" | "answered">): void {
    const statement = this.#database.prepare(
      "UPDATE plugins SET allowed = ?, answered = ? WHERE session_id = ? AND id = ?",
    );
    durably(this.#database, () => statement.run([JSON.stringify(allowed), JSON.stringify(answered), session, id]));
  }

  remove(session: SessionId, id: string): void {
    this.#database.prepare("DELETE FROM plugins WHERE session_id = ? AND id = ?").run([session, id]);
  }

  /** Returns a value that the plugin has stored, as JSON. */
  getValue({ session, plugin }: PluginOfSession, key: string): string | undefined {
    const statement = this.#database.prepare(
      "SELECT value FROM plugin_values WHERE session_id = ? AND plugin_id = ? AND key = ?",
    );
    return ValueRow.optional().parse(statement.get([session, plugin, key]))?.value;
  }

  /** Returns the number of values under keys other than this one. */
  countOtherValues({ session, plugin }: PluginOfSession, key: string): number {
    const statement = this.#database.prepare(
      "SELECT COUNT(*) AS count FROM plugin_values WHERE session_id = ? AND plugin_id = ? AND key <> ?",
    );
    return CountRow.parse(statement.get([session, plugin, key])).count;
  }

  /** Stores a value; `value` is JSON. */
  putValue({ session, plugin }: PluginOfSession, key: string, value: string): void {
    const statement = this.#database.prepare("INSERT OR REPLACE INTO plugin_values VALUES (?, ?, ?, ?)");
    durably(this.#database, () => statement.run([session, plugin, key, value]));
  }

  removeValue({ session, plugin }: PluginOfSession, key: string): void {
    this.#database
      .prepare("DELETE FROM plugin_values WHERE session_id = ? AND plugin_id = ? AND key = ?")
      .run([session, plugin, key]);
  }

  removeValues({ session, plugin }: PluginOfSession): void {
    this.#database.prepare("DELETE FROM plugin_values WHERE session_id = ? AND plugin_id = ?").run([session, plugin]);
  }
}

const EntryRow = z.object({ entry: z.instanceof(Uint8Array).nullable() });
const ValueRow = z.object({ value: z.string() });
const CountRow = z.object({ count: z.int() });
