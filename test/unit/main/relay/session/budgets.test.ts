import { afterEach, beforeEach, expect, test } from "vitest";
import { Budgets } from "../../../../../main/relay/session/budgets.ts";
import { BudgetRows } from "../../../../../main/relay/store/budget-rows.ts";
import type { StoreDatabase } from "../../../../../main/relay/store/open-store.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

let folder: ReturnType<typeof temporaryFolder>;
let database: StoreDatabase;
beforeEach(() => {
  folder = temporaryFolder();
  database = openStore(folder.path).database;
});
afterEach(() => {
  database.close();
  folder[Symbol.dispose]();
});

const day = (usd: number, subject = "2026-03-14") => ({ scope: "day" as const, subject, usd });

test("each step alerts once, also after a restart, and anew on the next day", () => {
  const budgets = new Budgets(new BudgetRows(database));
  budgets.setLimits({ day: 5, session: null });
  expect(budgets.check([day(3.99)])).toEqual([]);
  expect(budgets.check([day(4)])).toEqual([{ ...day(4), percent: 80, limit: 5 }]);
  expect(budgets.check([day(4.5)])).toEqual([]);
  expect(new Budgets(new BudgetRows(database)).check([day(4.5)])).toEqual([]);
  expect(budgets.check([day(5)])).toMatchObject([{ percent: 100 }]);
  expect(budgets.check([day(9)])).toEqual([]);
  expect(budgets.check([day(4, "2026-03-15")])).toMatchObject([{ percent: 80 }]);
});

test("a leap over both steps is one alert", () => {
  const budgets = new Budgets(new BudgetRows(database));
  budgets.setLimits({ day: 5, session: null });
  expect(budgets.check([day(7)])).toMatchObject([{ percent: 100 }]);
  expect(budgets.check([day(7)])).toEqual([]);
});

test("a changed limit may alert anew; the other one, and an equal one, may not", () => {
  const budgets = new Budgets(new BudgetRows(database));
  const life = { scope: "session" as const, subject: "s1", usd: 2 };
  budgets.setLimits({ day: 5, session: 2 });
  expect(budgets.check([day(5), life])).toHaveLength(2);
  budgets.setLimits({ day: 6, session: 2 });
  expect(budgets.check([day(6), life])).toMatchObject([{ scope: "day", percent: 100, limit: 6 }]);
  budgets.setLimits({ day: null, session: null });
  expect(budgets.limits()).toEqual({ day: null, session: null });
  expect(budgets.check([day(100), life])).toEqual([]);
});
