import { randomBytes } from "node:crypto";
import { z } from "zod";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { type ClientId, SessionId, ShellId } from "../../../core/protocol/ids.ts";
import { type KeyRestrictions, parseStoredRestrictions } from "../../../core/protocol/key-restrictions.ts";
import { limits } from "../../../core/protocol/limits.ts";
import { ChatMessage, Role, Shell } from "../../../core/protocol/records.ts";
import { durably } from "./keep-synced.ts";
import type { StoreDatabase } from "./open-store.ts";

export interface SessionRow {
  readonly id: SessionId;
  readonly name: string;
  readonly owner: string;
  readonly createdAt: string;
}

export interface KeyRow {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly scheme: "api" | "bearer";
  readonly scopes: readonly string[];
  readonly restrictions: KeyRestrictions;
  readonly digest: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

/**
 * What is on disk, behind plain methods. A write survives the death of this process when its method returns; sessions,
 * chat and keys survive a power cut too, the rest a second later (keep-synced.ts). Throws `storage_failed`.
 */
export class Store {
  /** For the rooms that keep tables of their own. */
  readonly database: StoreDatabase;
  readonly #statements = new Map<string, ReturnType<StoreDatabase["prepare"]>>();

  constructor(database: StoreDatabase) {
    this.database = database;
  }

  close(): void {
    this.database.close();
  }

  /** Size of the database, without what is not yet moved into it from its log. */
  bytes(): number {
    const row = this.#get("SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()");
    return Number(row?.bytes ?? 0);
  }

  /** A random name for this data folder, made once: the keychain account of its command-line key. */
  relayId(): string {
    const known = this.#get("SELECT value FROM meta WHERE key = 'relay_id'");
    if (known !== undefined) return String(known.value);
    const id = randomBytes(8).toString("hex");
    this.#run("INSERT INTO meta (key, value) VALUES ('relay_id', ?)", id);
    return id;
  }

  sessions(): SessionRow[] {
    const rows = this.#all("SELECT id, name, owner, created_at AS createdAt FROM sessions ORDER BY created_at, rowid");
    return rows as unknown as SessionRow[];
  }

  addSession({ id, name, owner, createdAt }: SessionRow): void {
    this.#durably("INSERT INTO sessions (id, name, owner, created_at) VALUES (?, ?, ?, ?)", id, name, owner, createdAt);
  }

  renameSession(id: SessionId, name: string): void {
    this.#durably("UPDATE sessions SET name = ? WHERE id = ?", name, id);
  }

  removeSession(id: SessionId): void {
    this.#durably("DELETE FROM sessions WHERE id = ?", id);
  }

  /** Client and shell ids are never given twice while the session lives, so the counters are on disk. */
  nextClientId(session: SessionId): ClientId {
    return this.#next("next_client", session) as ClientId;
  }

  nextShellId(session: SessionId): ShellId {
    return this.#next("next_shell", session) as ShellId;
  }

  shells(session: SessionId): Shell[] {
    return this.#records("shells", session, Shell);
  }

  putShell(session: SessionId, shell: Shell): void {
    this.#run(
      "INSERT OR REPLACE INTO shells (session_id, id, record) VALUES (?, ?, ?)",
      session,
      shell.id,
      JSON.stringify(shell),
    );
  }

  removeShell(session: SessionId, id: ShellId): void {
    this.#run("DELETE FROM shells WHERE session_id = ? AND id = ?", session, id);
  }

  /** Digests of the tokens that programs in shells have; those of sessions that are gone are dropped. */
  shellTokens(): ShellTokenRow[] {
    this.#run("DELETE FROM shell_tokens WHERE session_id NOT IN (SELECT id FROM sessions)");
    return this.#all(
      "SELECT digest, session_id AS session, shell_id AS shell, user, role, guest FROM shell_tokens",
    ).map((row) => ShellTokenRow.parse({ ...row, guest: row.guest !== 0 }));
  }

  addShellToken({ digest, session, shell, user, role, guest }: ShellTokenRow): void {
    this.#run(
      "INSERT INTO shell_tokens (digest, session_id, shell_id, user, role, guest) VALUES (?, ?, ?, ?, ?, ?)",
      digest,
      session,
      shell,
      user,
      role,
      guest ? 1 : 0,
    );
  }

  changeShellToken(digest: string, { role, guest }: Pick<ShellTokenRow, "role" | "guest">): void {
    this.#run("UPDATE shell_tokens SET role = ?, guest = ? WHERE digest = ?", role, guest ? 1 : 0, digest);
  }

  /** What a full disk keeps here, the next start drops. */
  removeShellToken(digest: string): void {
    this.#runIfPossible("DELETE FROM shell_tokens WHERE digest = ?", digest);
  }

  /** The last messages, oldest first. */
  chat(session: SessionId): ChatMessage[] {
    return this.#records("chat", session, ChatMessage).slice(-limits.chatMessages);
  }

  addChat(session: SessionId, message: ChatMessage): void {
    this.#durably(
      "INSERT INTO chat (session_id, id, record) VALUES (?, ?, ?)",
      session,
      message.id,
      JSON.stringify(message),
    );
  }

  /** The client that lives at this place (the desktop of this machine): its id and its saved state. */
  clientAt(session: SessionId, place: string): { id: ClientId; state: unknown } | undefined {
    const row = this.#get(
      "SELECT client_id, state FROM client_states WHERE session_id = ? AND place = ?",
      session,
      place,
    );
    if (row === undefined) return undefined;
    return { id: Number(row.client_id) as ClientId, state: parseJson(row.state) };
  }

  putClientAt(session: SessionId, place: string, client: { id: ClientId; state: unknown }): void {
    this.#run(
      "INSERT OR REPLACE INTO client_states (session_id, place, client_id, state) VALUES (?, ?, ?, ?)",
      session,
      place,
      client.id,
      client.state === undefined ? null : JSON.stringify(client.state),
    );
  }

  /** All clients of a session that are kept, wherever they live. */
  clientsAt(session: SessionId): { place: string; id: ClientId; state: unknown }[] {
    return this.#all("SELECT place, client_id, state FROM client_states WHERE session_id = ?", session).map((row) => ({
      place: String(row.place),
      id: Number(row.client_id) as ClientId,
      state: parseJson(row.state),
    }));
  }

  /** What a full disk keeps here, the next start gives up again. */
  removeClientAt(session: SessionId, place: string): void {
    this.#runIfPossible("DELETE FROM client_states WHERE session_id = ? AND place = ?", session, place);
  }

  keys(): KeyRow[] {
    return this.#all("SELECT * FROM keys ORDER BY created_at, rowid").map(keyOf);
  }

  keyByDigest(digest: string): KeyRow | undefined {
    const row = this.#get("SELECT * FROM keys WHERE digest = ?", digest);
    return row === undefined ? undefined : keyOf(row);
  }

  addKey(key: KeyRow): void {
    this.#durably(
      "INSERT INTO keys (id, owner, name, scheme, scopes, restrictions, digest, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      key.id,
      key.owner,
      key.name,
      key.scheme,
      JSON.stringify(key.scopes),
      JSON.stringify(key.restrictions),
      key.digest,
      key.createdAt,
      key.expiresAt,
    );
  }

  /** Only for people to read, so a full disk does not make the key useless. */
  touchKey(id: string, at: string): void {
    this.#runIfPossible("UPDATE keys SET last_used_at = ? WHERE id = ?", at, id);
  }

  /** A number that changes when another process has written to the store. */
  changesByOthers(): number {
    return Number(this.#get("PRAGMA data_version")?.data_version);
  }

  /** Whether there was such a key. */
  removeKey(id: string): boolean {
    return this.#durably("DELETE FROM keys WHERE id = ?", id).changes > 0;
  }

  #next(column: "next_client" | "next_shell", session: SessionId): number {
    const row = this.#get(
      `UPDATE sessions SET ${column} = ${column} + 1 WHERE id = ? RETURNING ${column} - 1 AS id`,
      session,
    );
    if (row === undefined) throw new Error(`session ${session} is not in the store`);
    return Number(row.id);
  }

  #records<T>(table: "shells" | "chat", session: SessionId, schema: z.ZodType<T>): T[] {
    const rows = this.#all(`SELECT record FROM ${table} WHERE session_id = ? ORDER BY id`, session);
    return rows.flatMap((row) => {
      const parsed = schema.safeParse(parseJson(row.record));
      return parsed.success ? [parsed.data] : [];
    });
  }

  #prepare(sql: string): ReturnType<StoreDatabase["prepare"]> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #run(sql: string, ...values: unknown[]): { changes: number } {
    return this.#prepare(sql).run(values);
  }

  #runIfPossible(sql: string, ...values: unknown[]): void {
    try {
      this.#run(sql, ...values);
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
    }
  }

  #durably(sql: string, ...values: unknown[]): { changes: number } {
    return durably(this.database, () => this.#run(sql, ...values));
  }

  #get(sql: string, ...values: unknown[]): Record<string, unknown> | undefined {
    return this.#prepare(sql).get(values) as Record<string, unknown> | undefined;
  }

  #all(sql: string, ...values: unknown[]): Record<string, unknown>[] {
    return this.#prepare(sql).all(values) as Record<string, unknown>[];
  }
}

const ShellTokenRow = z.object({
  digest: z.string(),
  session: SessionId,
  shell: ShellId,
  user: z.string(),
  /** Of the person who opened the shell, or has taken it over: the least of all. */
  role: Role,
  guest: z.boolean(),
});
type ShellTokenRow = z.infer<typeof ShellTokenRow>;

const KeyColumns = z.object({
  id: z.string(),
  owner: z.string(),
  name: z.string(),
  scheme: z.enum(["api", "bearer"]),
  scopes: z.string(),
  restrictions: z.string(),
  digest: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
});

function keyOf(row: Record<string, unknown>): KeyRow {
  const {
    created_at: createdAt,
    expires_at: expiresAt,
    last_used_at: lastUsedAt,
    scopes,
    restrictions,
    ...key
  } = KeyColumns.parse(row);
  const parsed = z.array(z.string()).safeParse(parseJson(scopes));
  return {
    ...key,
    createdAt,
    expiresAt,
    lastUsedAt,
    scopes: parsed.success ? parsed.data : [],
    restrictions: parseStoredRestrictions(parseJson(restrictions)),
  };
}

function parseJson(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
