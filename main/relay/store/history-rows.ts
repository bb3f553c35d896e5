import { HistorySettings, historyLimits } from "../../../core/protocol/history.ts";
import { readableRecords } from "./columns.ts";
import { durably } from "./keep-synced.ts";
import type { StoreDatabase } from "./open-store.ts";

const UNASKED: HistorySettings = {
  choice: "unasked",
  encrypted: true,
  days: historyLimits.days,
  maxBytes: historyLimits.bytes,
  except: [],
  patterns: {},
};

/** Table `history_settings`. */
export class HistoryRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Returns the settings; the defaults while nothing was decided. */
  get(): HistorySettings {
    const rows = this.#database.prepare("SELECT record FROM history_settings").all([]);
    return readableRecords(HistorySettings, rows)[0] ?? UNASKED;
  }

  /** Stores the settings durably. */
  set(settings: HistorySettings): void {
    const statement = this.#database.prepare("INSERT OR REPLACE INTO history_settings (id, record) VALUES (1, ?)");
    durably(this.#database, () => statement.run([JSON.stringify(settings)]));
  }
}
