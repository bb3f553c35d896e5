import type { SessionId } from "../../../core/protocol/ids.ts";
import { limits } from "../../../core/protocol/limits.ts";
import { ChatMessage } from "../../../core/protocol/records.ts";
import { readableRecords } from "./columns.ts";
import { durably } from "./keep-synced.ts";
import type { StoreDatabase } from "./open-store.ts";

/** Messages that one statement removes, so that the relay works on in between. */
const TRIMMED_AT_ONCE = 100;

/** Table `chat`. */
export class ChatRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Returns the latest messages of a session, oldest first. */
  list(session: SessionId): ChatMessage[] {
    const statement = this.#database.prepare("SELECT record FROM chat WHERE session_id = ? ORDER BY id DESC LIMIT ?");
    return readableRecords(ChatMessage, statement.all([session, limits.chatMessages])).reverse();
  }

  /**
   * Removes some of the oldest messages beyond the latest `keep` of a session.
   *
   * @returns whether there may be more to remove
   */
  trim(session: SessionId, keep: number): boolean {
    const statement = this.#database.prepare(
      `DELETE FROM chat WHERE rowid IN (
         SELECT rowid FROM chat WHERE session_id = ?1 AND id <= (SELECT max(id) FROM chat WHERE session_id = ?1) - ?2
         ORDER BY id LIMIT ?3)`,
    );
    return statement.run([session, keep, TRIMMED_AT_ONCE]).changes === TRIMMED_AT_ONCE;
  }

  /** Adds a message durably. */
  add(session: SessionId, message: ChatMessage): void {
    const statement = this.#database.prepare("INSERT INTO chat (session_id, id, record) VALUES (?, ?, ?)");
    durably(this.#database, () => statement.run([session, message.id, JSON.stringify(message)]));
  }
}
