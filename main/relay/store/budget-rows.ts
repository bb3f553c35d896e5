import { z } from "zod";
import {
  AtLimit,
  type BudgetKey,
  BudgetScope,
  type BudgetSetting,
  BudgetState,
  BudgetUnit,
} from "../../../core/protocol/budgets.ts";
import { SessionId } from "../../../core/protocol/ids.ts";
import { durably } from "./keep-synced.ts";
import type { StoreDatabase } from "./open-store.ts";

const SettingRow = z.object({
  scope: BudgetScope,
  subject: z.string(),
  unit: BudgetUnit,
  limit: z.number(),
  atLimit: AtLimit,
});

const CountRow = z.object({
  of: z.string(),
  percent: z.union([z.literal(0), z.literal(80), z.literal(100)]),
  raised: z.number().nullable(),
  state: BudgetState,
  session: SessionId.nullable(),
  question: z.int().nullable(),
});

/**
 * What is remembered of one count against a budget: the last alert, the limit that an answer has raised it to, and the
 * question that asks about it.
 */
export type BudgetCount = Readonly<z.infer<typeof CountRow>>;

/** Tables `budget_limits` and `budget_counts`. */
export class BudgetRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  list(): BudgetSetting[] {
    const rows = this.#database
      .prepare('SELECT scope, subject, unit, amount AS "limit", at_limit AS atLimit FROM budget_limits')
      .all([]);
    return z.array(SettingRow).parse(rows);
  }

  put({ scope, subject, unit, limit, atLimit }: BudgetSetting): void {
    const statement = this.#database.prepare(
      "INSERT OR REPLACE INTO budget_limits (scope, subject, unit, amount, at_limit) VALUES (?, ?, ?, ?, ?)",
    );
    durably(this.#database, () => statement.run([scope, subject, unit, limit, atLimit]));
  }

  /** Returns whether there was such a budget. */
  remove(key: BudgetKey): boolean {
    const statement = this.#database.prepare(`DELETE FROM budget_limits WHERE ${IS_KEY}`);
    return durably(this.#database, () => statement.run(keyValues(key)).changes) > 0;
  }

  counts(key: BudgetKey): BudgetCount[] {
    const rows = this.#database
      .prepare(`SELECT counted AS "of", percent, raised, state, session, question FROM budget_counts WHERE ${IS_KEY}`)
      .all(keyValues(key));
    return z.array(CountRow).parse(rows);
  }

  putCount(key: BudgetKey, { of, percent, raised, state, session, question }: BudgetCount): void {
    const statement = this.#database.prepare(
      "INSERT OR REPLACE INTO budget_counts (scope, subject, unit, counted, percent, raised, state, session, question) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    durably(this.#database, () => statement.run([...keyValues(key), of, percent, raised, state, session, question]));
  }

  /** Forgets what was counted against a budget. */
  removeCounts(key: BudgetKey): void {
    this.#database.prepare(`DELETE FROM budget_counts WHERE ${IS_KEY}`).run(keyValues(key));
  }

  removeCount(key: BudgetKey, of: string): void {
    this.#database.prepare(`DELETE FROM budget_counts WHERE ${IS_KEY} AND counted = ?`).run([...keyValues(key), of]);
  }

  /** Forgets the counts of other days than this one. */
  removeOtherDays(day: string): void {
    this.#database
      .prepare("DELETE FROM budget_counts WHERE scope IN ('day', 'model') AND substr(counted, 1, 10) <> ?")
      .run([day]);
  }
}

const IS_KEY = "scope = ? AND subject = ? AND unit = ?";

function keyValues({ scope, subject, unit }: BudgetKey): [string, string, string] {
  return [scope, subject, unit];
}
