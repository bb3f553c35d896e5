import type { BudgetRows } from "../store/budget-rows.ts";

/** Limits in US dollars at list prices; null for none. `day` covers all sessions in a local day, `session` one session's whole life. */
export interface BudgetLimits {
  readonly day: number | null;
  readonly session: number | null;
}

type Scope = keyof BudgetLimits;

/** What was spent against a limit, in a local day (`2026-01-31`) or in a session (its id). */
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

/** Budgets of agents. Given alerts are on disk, so each alert is given once, restarts included. */
export class Budgets {
  readonly #rows: BudgetRows;

  constructor(rows: BudgetRows) {
    this.#rows = rows;
  }

  limits(): BudgetLimits {
    const limits = new Map(this.#rows.list().map(({ scope, usd }) => [scope, usd]));
    return { day: limits.get("day") ?? null, session: limits.get("session") ?? null };
  }

  /** Sets the limits. A limit that changed can give its alerts again. */
  setLimits(limits: BudgetLimits): void {
    const before = this.limits();
    for (const scope of ["day", "session"] as const) {
      const usd = limits[scope];
      if (usd === before[scope]) continue;
      this.#rows.removeAlerts(scope);
      if (usd === null) this.#rows.remove(scope);
      else this.#rows.put({ scope, usd });
    }
  }

  /** Returns the new alerts for this spending: for each subject at most the highest step. */
  check(spendings: readonly Spending[]): BudgetAlert[] {
    const limits = this.limits();
    return spendings.flatMap((spending) => {
      const limit = limits[spending.scope];
      if (limit === null) return [];
      const { scope, subject, usd } = spending;
      const reached = STEPS.filter((percent) => usd >= (limit * percent) / 100);
      const fresh = reached.filter((percent) => this.#rows.addAlert({ scope, subject, percent }));
      const [percent] = fresh;
      return percent === undefined || percent !== reached[0] ? [] : [{ ...spending, percent, limit }];
    });
  }
}
