import { z } from "zod";
import type { StoreDatabase } from "../store/open-store.ts";

/** In US dollars at list prices; null: none. `day` is for all sessions of a local day, `session` for each session's whole life. */
export interface BudgetLimits {
  readonly day: number | null;
  readonly session: number | null;
}

type Scope = keyof BudgetLimits;

/** What was spent against a limit: of a local day (`2026-01-31`), or of a session (its id). */
export interface Spending {
  readonly scope: Scope;
  readonly subject: string;
  readonly usd: number;
}

export interface BudgetAlert extends Spending {
  readonly percent: 80 | 100;
  readonly limit: number;
}

const STEPS = [100, 80] as const;
const LimitRow = z.object({ scope: z.enum(["day", "session"]), usd: z.number() });

/** Budgets of agents and the alerts already given, on disk, so that each alert comes once, whatever restarts. */
export class Budgets {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  limits(): BudgetLimits {
    const rows = z.array(LimitRow).parse(this.#database.prepare("SELECT scope, usd FROM budgets").all([]));
    const limits = new Map(rows.map(({ scope, usd }) => [scope, usd]));
    return { day: limits.get("day") ?? null, session: limits.get("session") ?? null };
  }

  /** Sets the limits; one that changed may alert anew. */
  setLimits(limits: BudgetLimits): void {
    const before = this.limits();
    for (const scope of ["day", "session"] as const) {
      const usd = limits[scope];
      if (usd === before[scope]) continue;
      this.#database.prepare("DELETE FROM budget_alerts WHERE scope = ?").run([scope]);
      if (usd === null) this.#database.prepare("DELETE FROM budgets WHERE scope = ?").run([scope]);
      else this.#database.prepare("INSERT OR REPLACE INTO budgets (scope, usd) VALUES (?, ?)").run([scope, usd]);
    }
  }

  /** The alerts that this spending gives and that were not given before: of each subject only the highest step. */
  check(spendings: readonly Spending[]): BudgetAlert[] {
    const limits = this.limits();
    return spendings.flatMap((spending) => {
      const limit = limits[spending.scope];
      if (limit === null) return [];
      const reached = STEPS.filter((percent) => spending.usd >= (limit * percent) / 100);
      const fresh = reached.filter((percent) => this.#given(spending, percent));
      const [percent] = fresh;
      return percent === undefined || percent !== reached[0] ? [] : [{ ...spending, percent, limit }];
    });
  }

  /** Writes down that the alert is given; false when it was before. */
  #given({ scope, subject }: Spending, percent: number): boolean {
    return (
      this.#database
        .prepare("INSERT OR IGNORE INTO budget_alerts (scope, subject, percent) VALUES (?, ?, ?)")
        .run([scope, subject, percent]).changes > 0
    );
  }
}
