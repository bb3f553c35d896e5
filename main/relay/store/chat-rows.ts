import type { SessionId } from "../../../core/protocol/ids.ts";
import { limits } from "../../../core/protocol/limits.ts";
import { ChatMessage } from "../../../core/protocol/records.ts";
import { readableRecords } from "./columns.ts";
import { durably } from "./keep-synced.ts";
import type { StoreDatabase } from "./open-store.ts";

/** Table `chat`. */
export class ChatRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Returns the latest messages of a session, oldest first. */
  list(session: SessionId): ChatMessage[] {
    const statement = this.#database.prepare("SELECT record FROM chat WHERE session_id = ? ORDER BY id");
    return readableRecords(ChatMessage, statement.all([session])).slice(-limits.chatMessages);
  }

  /** Adds a message durably. */
  add(session: SessionId, message: ChatMessage): void {
    const statement = this.#database.prepare("INSERT INTO chat (session_id, id, record) VALUES (?, ?, ?)");
    durably(this.#database, () => statement.run([session, message.id, JSON.stringify(message)]));
  }
}
