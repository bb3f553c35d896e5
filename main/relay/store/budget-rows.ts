import { z } from "zod";
import type { StoreDatabase } from "./open-store.ts";

const BudgetRow = z.object({ scope: z.enum(["day", "session"]), usd: z.number() });
export type BudgetRow = Readonly<z.infer<typeof BudgetRow>>;

/** One alert, given once: `subject` is a local day (`2026-01-31`) or the id of a session. */
interface AlertRow {
  readonly scope: BudgetRow["scope"];
  readonly subject: string;
  readonly percent: number;
}

/** Tables `budgets` and `budget_alerts`. */
export class BudgetRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  list(): BudgetRow[] {
    return z.array(BudgetRow).parse(this.#database.prepare("SELECT scope, usd FROM budgets").all([]));
  }

  put({ scope, usd }: BudgetRow): void {
    this.#database.prepare("INSERT OR REPLACE INTO budgets (scope, usd) VALUES (?, ?)").run([scope, usd]);
  }

  remove(scope: BudgetRow["scope"]): void {
    this.#database.prepare("DELETE FROM budgets WHERE scope = ?").run([scope]);
  }

  /** Records an alert. Returns false if it was recorded before. */
  addAlert({ scope, subject, percent }: AlertRow): boolean {
    const statement = this.#database.prepare(
      "INSERT OR IGNORE INTO budget_alerts (scope, subject, percent) VALUES (?, ?, ?)",
    );
    return statement.run([scope, subject, percent]).changes > 0;
  }

  removeAlerts(scope: BudgetRow["scope"]): void {
    this.#database.prepare("DELETE FROM budget_alerts WHERE scope = ?").run([scope]);
  }
}
