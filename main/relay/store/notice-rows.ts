import { z } from "zod";
import { NotificationRecord } from "../../../core/protocol/notification-record.ts";
import type { StoreDatabase } from "./open-store.ts";

/** The oldest go first. */
const MOST_KEPT = 500;
const LONGEST_TEXT = 1000;

/** Past notifications of the app, on disk. */
export class NoticeRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Keeps one more; long texts are cut. */
  add({ at, session, sessionName, title, body, shell, shown }: Omit<NotificationRecord, "id">): void {
    const cut = (text: string) => text.slice(0, LONGEST_TEXT);
    this.#database
      .prepare(
        "INSERT INTO notices (at, session, session_name, title, body, shell, shown) VALUES (?, ?, ?, ?, ?, ?, ?)",
      )
      .run([at, session, cut(sessionName), cut(title), cut(body), shell, shown ? 1 : 0]);
    this.#database.prepare("DELETE FROM notices WHERE id <= (SELECT max(id) FROM notices) - ?").run([MOST_KEPT]);
  }

  /** The newest first. */
  list(): NotificationRecord[] {
    return this.#database
      .prepare("SELECT * FROM notices ORDER BY id DESC")
      .all()
      .map((row) => Columns.parse(row));
  }
}

const Columns = z
  .looseObject({ session_name: z.string(), shown: z.int() })
  .transform(({ session_name, shown, ...row }) =>
    NotificationRecord.parse({ ...row, sessionName: session_name, shown: shown === 1 }),
  );
