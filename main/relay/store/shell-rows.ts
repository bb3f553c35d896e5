import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import { Shell } from "../../../core/protocol/records.ts";
import { readableRecords } from "./columns.ts";
import type { StoreDatabase } from "./open-store.ts";

/** Table `shells`. */
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

  put(session: SessionId, shell: Shell): void {
    this.#database
      .prepare("INSERT OR REPLACE INTO shells (session_id, id, record) VALUES (?, ?, ?)")
      .run([session, shell.id, JSON.stringify(shell)]);
  }

  remove(session: SessionId, id: ShellId): void {
    this.#database.prepare("DELETE FROM shells WHERE session_id = ? AND id = ?").run([session, id]);
  }
}
