import { z } from "zod";
import type { SessionId } from "../../../core/protocol/ids.ts";
import { durably } from "./keep-synced.ts";
import type { StoreDatabase } from "./open-store.ts";

/** Whose values are meant. */
export interface PluginPlace {
  readonly session: SessionId;
  readonly plugin: string;
}

/** What plugins keep with the relay, as JSON by key; on disk when a method returns. */
export class PluginValues {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  get({ session, plugin }: PluginPlace, key: string): string | undefined {
    const row = this.#database
      .prepare("SELECT value FROM plugin_values WHERE session_id = ? AND plugin_id = ? AND key = ?")
      .get([session, plugin, key]);
    return row === undefined ? undefined : Value.parse(row).value;
  }

  /** How many values there are beside the one of this key. */
  others({ session, plugin }: PluginPlace, key: string): number {
    const row = this.#database
      .prepare("SELECT COUNT(*) AS count FROM plugin_values WHERE session_id = ? AND plugin_id = ? AND key <> ?")
      .get([session, plugin, key]);
    return Count.parse(row).count;
  }

  set({ session, plugin }: PluginPlace, key: string, value: string): void {
    const statement = this.#database.prepare("INSERT OR REPLACE INTO plugin_values VALUES (?, ?, ?, ?)");
    durably(this.#database, () => statement.run([session, plugin, key, value]));
  }

  /** Forgets one value, or all of them. */
  forget({ session, plugin }: PluginPlace, key?: string): void {
    const one = "DELETE FROM plugin_values WHERE session_id = ? AND plugin_id = ?";
    if (key === undefined) this.#database.prepare(one).run([session, plugin]);
    else this.#database.prepare(`${one} AND key = ?`).run([session, plugin, key]);
  }
}

const Value = z.object({ value: z.string() });
const Count = z.object({ count: z.number() });
