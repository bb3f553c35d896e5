import type { BudgetKey, BudgetLimits, BudgetSetting } from "../../../core/protocol/budgets.ts";
import type { BudgetCount, BudgetRows } from "../store/budget-rows.ts";

const NO_COUNT = { percent: 0, raised: null, state: "within", session: null, question: null } as const;

/** The budgets of agents, and what is remembered of each count against them. All of it is in the store. */
export class Budgets {
  readonly #rows: BudgetRows;
  readonly #listeners = new Set<(changed: BudgetKey) => void>();
  #settings: readonly BudgetSetting[] | undefined;

  constructor(rows: BudgetRows) {
    this.#rows = rows;
  }

  list(): readonly BudgetSetting[] {
    this.#settings ??= this.#rows.list();
    return this.#settings;
  }

  /** Returns the budgets in dollars of each day and of each session. */
  limits(): BudgetLimits {
    return { day: this.#find(keyOf("day"))?.limit ?? null, session: this.#find(keyOf("session"))?.limit ?? null };
  }

  /** Sets the budgets in dollars of each day and of each session. New ones only warn. */
  setLimits(limits: { readonly [Scope in keyof BudgetLimits]?: number | null | undefined }): void {
    for (const scope of ["day", "session"] as const) {
      const [key, limit] = [keyOf(scope), limits[scope]];
      if (limit === undefined) continue;
      if (limit === null) this.remove(key);
      else this.set({ ...key, limit, atLimit: this.#find(key)?.atLimit ?? "warn" });
    }
  }

  /** Sets a budget. One that changed begins anew: it can warn, hold and ask again. */
  set(setting: BudgetSetting): void {
    const before = this.#find(setting);
    if (before?.limit === setting.limit && before.atLimit === setting.atLimit) return;
    this.#rows.put(setting);
    this.#changed(setting);
  }

  /** Returns whether there was such a budget. */
  remove(key: BudgetKey): boolean {
    const removed = this.#rows.remove(key);
    if (removed) this.#changed(key);
    return removed;
  }

  count(key: BudgetKey, of: string): BudgetCount {
    return this.counts(key).find((known) => known.of === of) ?? { of, ...NO_COUNT };
  }

  counts(key: BudgetKey): readonly BudgetCount[] {
    return this.#rows.counts(key);
  }

  setCount(key: BudgetKey, count: BudgetCount): void {
    this.#rows.putCount(key, count);
  }

  /** Forgets the counts of other days than this one. */
  beginDay(day: string): void {
    this.#rows.removeOtherDays(day);
  }

  /** Subscribes to changed and removed budgets; their counts are forgotten afterwards. Returns an unsubscribe function. */
  onChange(listener: (changed: BudgetKey) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #find(key: BudgetKey): BudgetSetting | undefined {
    return this.list().find((one) => isSameBudget(one, key));
  }

  #changed(key: BudgetKey): void {
    this.#settings = undefined;
    for (const listener of [...this.#listeners]) listener(key);
  }

  /** Forgets what was counted against a budget. */
  forgetCounts(key: BudgetKey): void {
    this.#rows.removeCounts(key);
  }

  forgetCount(key: BudgetKey, of: string): void {
    this.#rows.removeCount(key, of);
  }
}

function isSameBudget(one: BudgetKey, other: BudgetKey): boolean {
  return one.scope === other.scope && one.subject === other.subject && one.unit === other.unit;
}

function keyOf(scope: "day" | "session"): BudgetKey {
  return { scope, subject: "", unit: "dollars" };
}
