import { z } from "zod";
import type { SessionId } from "../../../core/protocol/ids.ts";
import { Receipt } from "../../../core/protocol/receipts.ts";
import { json } from "./columns.ts";
import { durably } from "./keep-synced.ts";
import type { StoreDatabase } from "./open-store.ts";

/** What the relay needs to deliver a prompt and to recognize it in the agent's record. */
export const StoredPrompt = z.object({
  text: z.string(),
  /** Name under which the caller's prompts are counted. */
  account: z.string(),
  /** Place in the shell's queue, relative to the others. */
  order: z.number(),
  /** When the first byte may have been written, in milliseconds since 1970; null while it is queued. */
  writingAt: z.number().nullable(),
  /** Whether Enter was pressed. */
  entered: z.boolean(),
  /** Id of the event in the agent's transcript that proves it. */
  proof: z.string().nullable(),
  /** The caller acts for an agent, which must not type where a question is open. */
  byAgent: z.boolean(),
  /** The caller is restricted, and so is what it types into. */
  restrictsShell: z.boolean(),
  /** The caller named the agent's session: no other one gets the prompt. */
  namesSession: z.boolean().default(false),
});
export type StoredPrompt = Readonly<z.infer<typeof StoredPrompt>>;

export interface StoredReceipt {
  readonly receipt: Receipt;
  readonly prompt: StoredPrompt;
}

/** Table `receipts`. */
export class ReceiptRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Returns all receipts of a session, oldest first. Rows that another version wrote differently are left out. */
  list(session: SessionId): StoredReceipt[] {
    const rows = this.#database
      .prepare("SELECT record, prompt FROM receipts WHERE session_id = ? ORDER BY id")
      .all([session]);
    return rows.flatMap((row) => {
      const { data } = Row.safeParse(row);
      return data === undefined ? [] : [{ receipt: data.record, prompt: data.prompt }];
    });
  }

  /** Returns the id after the newest receipt's. */
  nextId(session: SessionId): number {
    const statement = this.#database.prepare("SELECT max(id) AS newest FROM receipts WHERE session_id = ?");
    return (NewestRow.parse(statement.get([session])).newest ?? 0) + 1;
  }

  /** Writes a receipt; with `isDurable` before anything is typed, so that a restart knows of it. */
  put({ receipt, prompt }: StoredReceipt, { isDurable = false } = {}): void {
    const statement = this.#database.prepare(
      "INSERT OR REPLACE INTO receipts (session_id, id, record, prompt) VALUES (?, ?, ?, ?)",
    );
    const values = [receipt.session, receipt.id, JSON.stringify(receipt), JSON.stringify(prompt)];
    if (isDurable) durably(this.#database, () => statement.run(values));
    else statement.run(values);
  }

  remove(session: SessionId, id: number): void {
    this.#database.prepare("DELETE FROM receipts WHERE session_id = ? AND id = ?").run([session, id]);
  }
}

const Row = z.object({ record: json(Receipt), prompt: json(StoredPrompt) });
const NewestRow = z.object({ newest: z.int().nullable() });
