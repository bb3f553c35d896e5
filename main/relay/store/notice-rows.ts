import { z } from "zod";
import { NotificationRecord } from "../../../core/protocol/notification-record.ts";
import { Flag } from "./columns.ts";
import type { StoreDatabase } from "./open-store.ts";

const MOST_ROWS = 500;
const LONGEST_TEXT = 1000;

/** Table `notices`: past notifications of the desktop app. */
export class NoticeRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Adds a notification, truncates its long texts, and removes the oldest beyond 500. */
  add({ at, session, sessionName, title, body, shell, shown }: Omit<NotificationRecord, "id">): void {
    const cut = (text: string) => text.slice(0, LONGEST_TEXT);
    this.#database
      .prepare(
        "INSERT INTO notices (at, session, session_name, title, body, shell, shown) VALUES (?, ?, ?, ?, ?, ?, ?)",
      )
      .run([at, session, cut(sessionName), cut(title), cut(body), shell, shown ? 1 : 0]);
    this.#database.prepare("DELETE FROM notices WHERE id <= (SELECT max(id) FROM notices) - ?").run([MOST_ROWS]);
  }

  /** Returns all notifications, newest first. */
  list(): NotificationRecord[] {
    const statement = this.#database.prepare(
      "SELECT id, at, session, session_name AS sessionName, title, body, shell, shown FROM notices ORDER BY id DESC",
    );
    return z.array(Row).parse(statement.all([]));
  }
}

const Row = NotificationRecord.extend({ shown: Flag });
