import { afterEach, beforeEach, expect, test } from "vitest";
import { Budgets } from "../../../../../main/relay/budgets/budgets.ts";
import { BudgetRows } from "../../../../../main/relay/store/budget-rows.ts";
import type { StoreDatabase } from "../../../../../main/relay/store/open-store.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

let folder: ReturnType<typeof temporaryFolder>;
let database: StoreDatabase;
let budgets: Budgets;
beforeEach(() => {
  folder = temporaryFolder();
  database = openStore(folder.path).database;
  budgets = new Budgets(new BudgetRows(database));
});
afterEach(() => {
  database.close();
  folder[Symbol.dispose]();
});

const again = () => new Budgets(new BudgetRows(database));
const setting = { scope: "agent", subject: "", unit: "tokens", limit: 5, atLimit: "hold" } as const;

test("budgets and their counts are kept over a restart", () => {
  budgets.set(setting);
  budgets.setCount(setting, { ...budgets.count(setting, "a"), raised: 9, state: "held", percent: 100 });
  expect(again().list()).toEqual([setting]);
  expect(again().count(setting, "a")).toMatchObject({ raised: 9, state: "held", percent: 100 });
  expect(again().count(setting, "b")).toMatchObject({ raised: null, state: "within", percent: 0 });
});

test("the limits of each day and session are budgets in dollars, which only warn unless they were set to hold", () => {
  budgets.setLimits({ day: 5, session: null });
  expect(budgets.list()).toEqual([{ scope: "day", subject: "", unit: "dollars", limit: 5, atLimit: "warn" }]);
  budgets.set({ scope: "day", subject: "", unit: "dollars", limit: 5, atLimit: "hold" });
  budgets.setLimits({ day: 6 });
  expect(budgets.list()).toMatchObject([{ limit: 6, atLimit: "hold" }]);
  expect(again().limits()).toEqual({ day: 6, session: null });
  budgets.setLimits({ day: null });
  expect(budgets.list()).toEqual([]);
});

test("a budget is another one by its subject and by its unit", () => {
  budgets.set(setting);
  for (const other of [{ subject: "a" }, { unit: "dollars" }] as const) {
    budgets.set({ ...setting, ...other, limit: 7 });
    expect(budgets.list()).toContainEqual(setting);
    expect(budgets.remove({ ...setting, ...other })).toBe(true);
  }
  expect(budgets.list()).toEqual([setting]);
});

test("each limit is read and set without the other", () => {
  expect(budgets.limits()).toEqual({ day: null, session: null });
  budgets.setLimits({ session: 3 });
  expect(budgets.limits()).toEqual({ day: null, session: 3 });
  budgets.setLimits({ day: 5 });
  expect(budgets.limits()).toEqual({ day: 5, session: 3 });
});

test("a subscription ends", () => {
  const told: unknown[] = [];
  const stop = budgets.onChange((key) => told.push(key));
  stop();
  budgets.set(setting);
  expect(told).toEqual([]);
});

test("a changed budget is told, one that stays the same is not", () => {
  const told: unknown[] = [];
  budgets.onChange(({ scope }) => told.push(scope));
  budgets.set(setting);
  budgets.set({ ...setting });
  expect(told).toEqual(["agent"]);
  budgets.set({ ...setting, limit: 6 });
  expect(budgets.remove(setting)).toBe(true);
  expect(budgets.remove(setting)).toBe(false);
  expect(told).toEqual(["agent", "agent", "agent"]);
});

test("the counts of other days are forgotten, those of sessions are not", () => {
  const day = { ...setting, scope: "day" } as const;
  const model = { ...setting, scope: "model" } as const;
  for (const [key, of] of [
    [day, "2026-03-14"],
    [day, "2026-03-15"],
    [model, "2026-03-14 gpt"],
    [setting, "a"],
  ] as const)
    budgets.setCount(key, { ...budgets.count(key, of), percent: 80 });
  budgets.beginDay("2026-03-15");
  expect(budgets.counts(day).map(({ of }) => of)).toEqual(["2026-03-15"]);
  expect(budgets.counts(model)).toEqual([]);
  expect(budgets.counts(setting)).toHaveLength(1);
});
