import { z } from "zod";
import type { SessionId } from "../../../core/protocol/ids.ts";
import { Policy } from "../../../core/protocol/policies.ts";
import { json } from "./columns.ts";
import { durably } from "./keep-synced.ts";
import type { StoreDatabase } from "./open-store.ts";

/** Table `policies`. */
export class PolicyRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Returns the policies of a session, oldest first. Rows that another version wrote differently are left out. */
  list(session: SessionId): Policy[] {
    const rows = this.#database
      .prepare("SELECT id, rule FROM policies WHERE session_id = ? ORDER BY id")
      .all([session]);
    return rows.flatMap((row) => {
      const { data } = Row.safeParse(row);
      return data === undefined ? [] : [{ ...data.rule, id: data.id }];
    });
  }

  /** Adds a policy and gives it an id, which no other ever had. */
  add(session: SessionId, policy: Omit<Policy, "id">): Policy {
    const statement = this.#database.prepare("INSERT INTO policies (session_id, rule) VALUES (?, ?)");
    const { lastInsertRowid } = durably(this.#database, () => statement.run([session, JSON.stringify(policy)]));
    return { ...policy, id: Number(lastInsertRowid) };
  }

  /** Returns whether there was such a policy. */
  remove(session: SessionId, id: number): boolean {
    const statement = this.#database.prepare("DELETE FROM policies WHERE session_id = ? AND id = ?");
    return durably(this.#database, () => statement.run([session, id]).changes) > 0;
  }
}

const Row = z.object({ id: z.int(), rule: json(Policy.omit({ id: true })) });
