import { z } from "zod";
import { ClientId, type SessionId, ShellId } from "../../../core/protocol/ids.ts";
import { durably } from "./keep-synced.ts";
import type { StoreDatabase } from "./open-store.ts";

/** Ids are as they were written: a stored session always opens. */
const StoredSessionId = z.string().brand<"SessionId">();

const SessionRow = z.object({ id: StoredSessionId, name: z.string(), owner: z.string(), createdAt: z.string() });
export type SessionRow = z.infer<typeof SessionRow>;

/** Table `sessions`. Every write except the id counters is durable. */
export class SessionRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Returns all sessions, oldest first. */
  list(): SessionRow[] {
    const statement = this.#database.prepare(
      "SELECT id, name, owner, created_at AS createdAt FROM sessions ORDER BY created_at, rowid",
    );
    return z.array(SessionRow).parse(statement.all([]));
  }

  add({ id, name, owner, createdAt }: SessionRow): void {
    const statement = this.#database.prepare("INSERT INTO sessions (id, name, owner, created_at) VALUES (?, ?, ?, ?)");
    durably(this.#database, () => statement.run([id, name, owner, createdAt]));
  }

  rename(id: SessionId, name: string): void {
    const statement = this.#database.prepare("UPDATE sessions SET name = ? WHERE id = ?");
    durably(this.#database, () => statement.run([name, id]));
  }

  /** Removes a session and, by foreign key, everything that belongs to it. */
  remove(id: SessionId): void {
    const statement = this.#database.prepare("DELETE FROM sessions WHERE id = ?");
    durably(this.#database, () => statement.run([id]));
  }

  /** Makes the session use no shell id up to this one again. */
  reserveShellIds(id: SessionId, last: number): void {
    const statement = this.#database.prepare("UPDATE sessions SET next_shell = max(next_shell, ?) WHERE id = ?");
    durably(this.#database, () => statement.run([last + 1, id]));
  }

  /** Returns an unused client id. The counter is on disk, so a session never reuses an id. */
  nextClientId(session: SessionId): ClientId {
    return ClientId.parse(this.#next("next_client", session));
  }

  /** Returns an unused shell id. The counter is on disk, so a session never reuses an id. */
  nextShellId(session: SessionId): ShellId {
    return ShellId.parse(this.#next("next_shell", session));
  }

  #next(column: "next_client" | "next_shell", session: SessionId): number {
    const row = this.#database
      .prepare(`UPDATE sessions SET ${column} = ${column} + 1 WHERE id = ? RETURNING ${column} - 1 AS id`)
      .get([session]);
    if (row === undefined) throw new Error(`session ${session} is not in the store`);
    return NextId.parse(row).id;
  }
}

const NextId = z.object({ id: z.int() });
