import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { BudgetAlert } from "../../../../../core/protocol/budgets.ts";
import type { RelayEvent } from "../../../../../core/protocol/events.ts";
import { GovernorBench } from "./governor-bench.ts";

let bench: GovernorBench;
beforeEach(async () => {
  bench = await GovernorBench.open();
  vi.useFakeTimers({ now: new Date(2026, 2, 14, 12) });
});
afterEach(async () => {
  vi.useRealTimers();
  await bench[Symbol.asyncDispose]();
});

const SOON = 200;
const states = () => bench.questions().map(({ state, closedBecause }) => [state, closedBecause]);

function alerts(): BudgetAlert[] {
  const told: BudgetAlert[] = [];
  bench.governor.onAlert((alert) => told.push(alert));
  return told;
}

describe("a budget that holds", () => {
  test("holds automated input from its limit on, and says why and what to do", () => {
    bench.set({ scope: "agent" });
    bench.start();
    bench.spend(1, { cost: 9.99 });
    expect(bench.held(1)).toBeUndefined();
    bench.spend(1, { cost: 0.01 });
    expect(bench.held(1)).toBe(
      "The budget of agent session agent-1 is spent: $10.00 of $10.00. Automated input to shell 1 is held. Answer question 1, or type in the terminal.",
    );
    expect(bench.held(2)).toBeUndefined();
    expect(bench.questions()).toMatchObject([{ shellId: 1, state: "open", source: "governor", rule: "budget/agent" }]);
    expect(bench.questions()[0]?.options.map(({ id }) => id)).toEqual(["more", "stop", "run"]);
    expect(bench.held(1)).toBeDefined();
    expect(bench.questions()).toHaveLength(1);
  });

  test("finds out by itself, soon after the agents have changed, and anyway after a minute", () => {
    bench.set({ scope: "agent" });
    bench.start();
    bench.spend(1, { cost: 10 });
    vi.advanceTimersByTime(SOON - 1);
    expect(bench.questions()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(states()).toEqual([["open", null]]);
    bench.agents.use(bench.session.id, bench.place(2).shellId, { cost: 10 });
    vi.advanceTimersByTime(60_000 - 2 * SOON);
    expect(bench.questions()).toHaveLength(1);
    bench.tell(2, "idle");
    vi.advanceTimersByTime(SOON);
    expect(bench.questions()).toHaveLength(2);
  });

  test("sums what no event has told within a minute", () => {
    bench.set({ scope: "session" });
    bench.start();
    bench.tell(1, "idle");
    vi.advanceTimersByTime(SOON);
    bench.agents.use(bench.session.id, bench.place(1).shellId, { cost: 10 });
    vi.advanceTimersByTime(59_000);
    expect(bench.questions()).toEqual([]);
    vi.advanceTimersByTime(2000);
    expect(bench.questions()).toHaveLength(1);
  });

  test("holds at what is priced, also where calls without a price make it a lower bound", () => {
    bench.set({ scope: "agent" });
    bench.start();
    const told = alerts();
    bench.spend(1, { cost: 0, unpriced: true });
    expect(bench.held(1)).toBeUndefined();
    bench.spend(1, { cost: 8 });
    expect(bench.held(1)).toBeUndefined();
    expect(told).toMatchObject([{ percent: 80, uncertain: true, unpriced: true }]);
    bench.spend(1, { cost: 2 });
    expect(bench.held(1)).toMatch(/is spent: \$10\.00 of \$10\.00\. .* a budget in tokens counts them/);
    const use = { of: "agent-1", spent: 10, uncertain: true, unpriced: true, state: "held" };
    expect(bench.governor.list()[0]?.uses).toMatchObject([use]);
    expect(bench.questions()).toMatchObject([{ text: expect.stringContaining("a budget in tokens counts them") }]);
  });

  test.each(
    (["agent", "shell", "session", "day", "model"] as const).flatMap((scope) =>
      (["hold", "hold-certain"] as const).map((atLimit) => ({ scope, atLimit })),
    ),
  )(
    "of each $scope that is to $atLimit holds from the very turn on that reaches it, whatever else is in the sum",
    async (setting) => {
      const cents = fc.integer({ min: 0, max: 300 });
      const turn = fc.record({ cents, price: fc.constantFrom("sure", "approximate", "unpriced") });
      await fc.assert(
        fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 12 }), async (turns) => {
          await using own = await GovernorBench.open();
          own.set(setting);
          own.start();
          let held = 0;
          for (const { cents, price } of turns) {
            const cost = cents / 100;
            if (price === "sure") own.spend(1, { cost });
            else if (price === "approximate") own.spend(1, { cost, approximate: true });
            // What it would have cost is not known.
            else own.spend(1, { cost: 0, unpriced: true });
            if (price === "sure" || (price === "approximate" && setting.atLimit === "hold")) held += cents;
            expect([held, own.held(1) !== undefined]).toEqual([held, held >= 1000]);
          }
        }),
        { numRuns: 6 },
      );
    },
  );

  test("holds at approximate prices, and says how much they are", () => {
    bench.set({ scope: "agent" });
    bench.start();
    bench.spend(1, { cost: 6 });
    bench.spend(1, { cost: 4, approximate: true });
    expect(bench.held(1)).toMatch(/is spent: \$10\.00 of \$10\.00\. About \$4\.00 of it was priced as a similar model/);
    expect(bench.governor.list()[0]?.uses).toMatchObject([{ spent: 10, uncertain: true, approximate: 4 }]);
  });

  test("holds at what is certain alone where it is to, and warns before", async () => {
    bench.set({ scope: "agent", atLimit: "hold-certain" });
    bench.start();
    const told = alerts();
    bench.spend(1, { cost: 20, approximate: true });
    expect(bench.held(1)).toBeUndefined();
    expect(told).toMatchObject([{ percent: 100, spent: 20, approximate: 20, uncertain: true }]);
    bench.spend(1, { cost: 9.99 });
    expect(bench.held(1)).toBeUndefined();
    bench.spend(1, { cost: 0.01 });
    expect(bench.held(1)).toMatch(/is spent: \$10\.00 of \$10\.00\. About \$20\.00 more was priced/);
    expect(told).toHaveLength(1);
    await bench.answer(1, "more");
    bench.spend(1, { cost: 4.99 });
    expect(bench.held(1)).toBeUndefined();
    bench.spend(1, { cost: 0.01 });
    expect(bench.held(1)).toMatch(/\$15\.00 of \$15\.00/);
  });

  test("of one agent ends with the agent, those of others do not", () => {
    bench.set({ scope: "agent" });
    bench.start();
    vi.advanceTimersByTime(30_000);
    bench.spend(1, { cost: 10 });
    expect(bench.held(1)).toBeDefined();
    bench.tell(1, "ended");
    expect(bench.held(1)).toBeUndefined();
    bench.set({ scope: "session" });
    expect(bench.held(1)).toMatch(/^The budget of this session is spent/);
  });

  test("of one agent holds after a start until its agent can have been found", () => {
    bench.set({ scope: "agent" });
    bench.agents.use(bench.session.id, bench.place(1).shellId, { cost: 10 });
    vi.advanceTimersByTime(20_000);
    bench.start();
    expect(bench.held(1)).toBeDefined();
    vi.advanceTimersByTime(29_000);
    bench.governor.agentsChanged();
    expect(bench.held(1)).toBeDefined();
    vi.advanceTimersByTime(1000);
    bench.governor.agentsChanged();
    expect(bench.held(1)).toBeUndefined();
  });

  test("holds in no shell that has ended, and then says to set a higher limit", () => {
    bench.set({ scope: "session" });
    bench.start();
    bench.spend(1, { cost: 5 });
    bench.spend(2, { cost: 5 });
    expect(bench.held(1)).toMatch(/Answer question 1/);
    bench.small.tell({ kind: "lost", id: bench.place(1).shellId });
    bench.governor.agentsChanged();
    expect(bench.held(1)).toBeUndefined();
    expect(bench.held(2)).toMatch(/Answer question/);
  });

  test("reads what the agent has written before a prompt, and only where a budget holds", async () => {
    bench.set({ scope: "agent", atLimit: "warn" });
    bench.start();
    await bench.governor.checkPrompt(bench.session.id, bench.place(1).shellId);
    expect(bench.read).toEqual([]);
    bench.set({ scope: "agent" });
    bench.spend(1, { cost: 1 });
    expect(bench.held(1)).toBeUndefined();
    // What the reading finds, no event has told yet.
    bench.agents.use(bench.session.id, bench.place(1).shellId, { cost: 9 });
    await expect(bench.governor.checkPrompt(bench.session.id, bench.place(1).shellId)).rejects.toMatchObject({
      code: "budget_reached",
    });
    expect(bench.read).toEqual([1]);
  });

  test("asks where input was held, else where an agent works, else where one ran last", () => {
    bench.set({ scope: "session" });
    bench.start();
    bench.spend(1, { cost: 5 }, "working");
    bench.spend(2, { cost: 5 }, "idle");
    vi.advanceTimersByTime(SOON);
    expect(bench.questions()).toMatchObject([{ shellId: 1 }]);
    bench.session.questions.withdraw(1, "for the test");
    bench.tell(1, "idle");
    vi.advanceTimersByTime(SOON);
    expect(bench.held(1)).toMatch(/Answer question 2,/);
    expect(bench.questions()[1]).toMatchObject({ shellId: 1 });
    bench.session.questions.withdraw(2, "for the test");
    expect(bench.held(2)).toMatch(/Answer question 3,/);
    expect(bench.questions()[2]).toMatchObject({ shellId: 2 });
  });

  test("asks where an agent ran last when none works", () => {
    bench.set({ scope: "session" });
    bench.start();
    bench.spend(1, { cost: 5 }, "idle");
    bench.spend(2, { cost: 5 }, "idle");
    vi.advanceTimersByTime(SOON);
    expect(bench.questions()).toMatchObject([{ shellId: 2 }]);
  });

  test("holds beside one that only warns", () => {
    bench.set({ scope: "agent", atLimit: "warn" });
    bench.set({ scope: "session" });
    bench.start();
    bench.spend(1, { cost: 10 });
    expect(bench.held(1)).toMatch(/^The budget of this session is spent/);
  });

  test("asks in no shell that has ended, also when its agent was the last one", () => {
    bench.set({ scope: "session" });
    bench.start();
    bench.spend(1, { cost: 5 }, "idle");
    bench.spend(2, { cost: 4 }, "idle");
    bench.small.tell({ kind: "lost", id: bench.place(2).shellId });
    bench.spend(1, { cost: 1 }, "idle");
    vi.advanceTimersByTime(SOON);
    expect(bench.questions()).toMatchObject([{ shellId: 1 }]);
  });

  test("does not offer to stop an agent of a kind without keys that do", () => {
    vi.spyOn(bench.agents.port, "interruptKeys").mockReturnValue(undefined);
    bench.set({ scope: "agent" });
    bench.start();
    bench.spend(1, { cost: 10 });
    vi.advanceTimersByTime(SOON);
    expect(bench.questions()[0]?.options.map(({ id }) => id)).toEqual(["more", "run"]);
  });

  test("sums nothing again while nothing has changed, and nothing at all without a budget", () => {
    const cost = vi.spyOn(bench.agents.port, "cost");
    bench.start();
    bench.spend(1, { cost: 10 });
    vi.advanceTimersByTime(SOON);
    expect(cost).not.toHaveBeenCalled();
    bench.set({ scope: "agent" });
    expect(bench.held(1)).toBeDefined();
    const sums = cost.mock.calls.length;
    for (let times = 0; times < 3; times++) expect(bench.held(1)).toBeDefined();
    expect(cost).toHaveBeenCalledTimes(sums);
  });

  test("does not offer to stop an agent in a pane of tmux", () => {
    bench.set({ scope: "agent" });
    bench.start();
    bench.agents.use(bench.session.id, bench.place(1).shellId, { cost: 10 });
    bench.tell(1, "working", { inPane: true });
    vi.advanceTimersByTime(SOON);
    expect(bench.questions()[0]?.options.map(({ id }) => id)).toEqual(["more", "run"]);
  });
});

describe("warnings", () => {
  test("come once at 80 and once at 100 percent, to subscribers and the session", () => {
    bench.set({ scope: "agent", atLimit: "warn" });
    bench.start();
    const told = alerts();
    const emit = vi.spyOn(bench.session, "emit");
    const percents = () => told.map(({ percent }) => percent);
    for (const cost of [7.99, 0.01, 1, 0.99]) {
      bench.spend(1, { cost });
      vi.advanceTimersByTime(SOON);
    }
    expect(percents()).toEqual([80]);
    bench.spend(1, { cost: 0.01 });
    vi.advanceTimersByTime(SOON);
    expect(percents()).toEqual([80, 100]);
    bench.spend(1, { cost: 5 });
    vi.advanceTimersByTime(SOON);
    expect(percents()).toEqual([80, 100]);
    expect(told[0]).toEqual({
      ...{ scope: "agent", subject: "", unit: "dollars", of: "agent-1", spent: 8, limit: 10, percent: 80 },
    });
    const warned = emit.mock.calls.map(([event]: readonly [RelayEvent]) => event.type);
    expect(warned.filter((type) => type === "budget.warned")).toHaveLength(2);
    expect(bench.held(1)).toBeUndefined();
  });

  test("from before the first subscriber are told to it, the last fifty, and to no later one", () => {
    for (let shell = 1; shell <= 51; shell++)
      bench.agents.use(bench.session.id, bench.place(shell).shellId, { cost: 10 });
    bench.set({ scope: "agent", atLimit: "warn" });
    bench.start();
    vi.advanceTimersByTime(SOON);
    expect(alerts().map(({ of }) => of)).toEqual(Array.from({ length: 50 }, (_, index) => `agent-${index + 2}`));
    expect(alerts()).toEqual([]);
  });

  test("that a subscriber was told are told to no later one", () => {
    bench.set({ scope: "agent", atLimit: "warn" });
    bench.start();
    const told = alerts();
    bench.spend(1, { cost: 10 });
    vi.advanceTimersByTime(SOON);
    expect(told).toHaveLength(1);
    expect(alerts()).toEqual([]);
  });

  test("end with the subscription", () => {
    bench.set({ scope: "agent", atLimit: "warn" });
    bench.start();
    const told: BudgetAlert[] = [];
    const stop = bench.governor.onAlert((alert) => told.push(alert));
    stop();
    bench.spend(1, { cost: 10 });
    vi.advanceTimersByTime(SOON);
    expect(told).toEqual([]);
    expect(alerts()).toHaveLength(1);
  });
});

describe("an answer", () => {
  beforeEach(() => {
    bench.set({ scope: "agent" });
    bench.start();
    bench.spend(1, { cost: 12 });
    vi.advanceTimersByTime(SOON);
  });

  test("for more raises the limit from what is spent, and holds again there", async () => {
    const { receipt } = await bench.answer(1, "more");
    expect(receipt).toMatchObject({ state: "confirmed", evidence: "the limit is $17.00 now" });
    expect(bench.held(1)).toBeUndefined();
    expect(bench.governor.list()[0]?.uses).toEqual([{ of: "agent-1", spent: 12, limit: 17, state: "within" }]);
    bench.spend(1, { cost: 5 });
    expect(bench.held(1)).toMatch(/is spent: \$17\.00 of \$17\.00\. .* Answer question 2/);
    await bench.answer(2, "more");
    expect(bench.governor.list()[0]?.uses).toMatchObject([{ limit: 22 }]);
  });

  test("to let it run holds nothing any more", async () => {
    const { receipt } = await bench.answer(1, "run");
    expect(receipt).toMatchObject({ state: "confirmed", evidence: "this budget holds nothing any more" });
    bench.spend(1, { cost: 100 });
    expect(bench.held(1)).toBeUndefined();
    expect(bench.governor.list()[0]?.uses).toMatchObject([{ state: "released" }]);
    vi.advanceTimersByTime(SOON);
    expect(bench.questions()).toHaveLength(1);
  });

  test("to stop types the agent's key, holds on, and asks no more", async () => {
    const write = vi.spyOn(bench.session.shells, "write");
    expect((await bench.answer(1, "stop")).receipt).toMatchObject({ state: "pending" });
    expect(write.mock.calls).toEqual([[1, "\u001b"]]);
    expect(bench.held(1)).toMatch(/is held\. Set a higher limit, or type in the terminal\.$/);
    bench.tell(1, "idle");
    expect(bench.questions()[0]?.receipt).toMatchObject({
      state: "confirmed",
      evidence: "no agent of this budget is in a turn",
    });
    expect(bench.governor.list()[0]?.uses).toMatchObject([{ state: "stopped" }]);
    expect(bench.questions()).toHaveLength(1);
  });

  test("is about the count that was asked about, and raises the limit from what that one has spent", async () => {
    bench.spend(2, { cost: 30 });
    vi.advanceTimersByTime(SOON);
    expect(bench.questions().map(({ shellId }) => shellId)).toEqual([1, 2]);
    expect((await bench.answer(2, "more")).receipt).toMatchObject({ evidence: "the limit is $35.00 now" });
    expect(bench.held(1)).toMatch(/Answer question 1,/);
    expect(bench.held(2)).toBeUndefined();
    await bench.answer(1, "run");
    expect(bench.governor.list()[0]?.uses).toMatchObject([
      { of: "agent-1", state: "released" },
      { of: "agent-2", state: "within", limit: 35 },
    ]);
  });

  test("about an agent that is counted no more raises the limit itself, or stops none", async () => {
    bench.spend(2, { cost: 30 });
    vi.advanceTimersByTime(SOON);
    const none = { agents: [], total: { input: 0, output: 0, cached: 0, cost: 0 }, byModel: [] };
    vi.spyOn(bench.agents.port, "cost").mockReturnValue(none);
    expect((await bench.answer(1, "more")).receipt).toMatchObject({ evidence: "the limit is $15.00 now" });
    expect((await bench.answer(2, "stop")).receipt).toMatchObject({ state: "confirmed" });
  });

  test("that the last run of the relay could not carry out is carried out by the next", async () => {
    bench.governor[Symbol.dispose]();
    const by = { kind: "user", name: "ann", client: null } as const;
    await bench.session.questions.answer(1, { option: "run" }, by, { forRelay: true });
    bench.start();
    expect(bench.held(1)).toBeUndefined();
    expect(bench.governor.list()[0]?.uses).toMatchObject([{ state: "released" }]);
  });

  test("to a question about a budget that was changed since is overruled", async () => {
    const by = { kind: "user", name: "ann", client: null } as const;
    const answered = await bench.session.questions.answer(1, { option: "run" }, by, { forRelay: true });
    bench.set({ scope: "agent", limit: 20 });
    bench.governor.answered(answered);
    expect(bench.questions()[0]?.receipt).toMatchObject({
      state: "overruled",
      evidence: "the budget was changed before",
    });
    expect(bench.governor.list()[0]?.uses).toMatchObject([{ state: "within", limit: 20 }]);
  });
});

describe("what ends a hold without an answer", () => {
  test("another limit, or none: the question is withdrawn and the count begins anew", () => {
    const setting = bench.set({ scope: "agent" });
    bench.start();
    bench.spend(1, { cost: 12 });
    expect(bench.held(1)).toBeDefined();
    bench.set({ scope: "agent", limit: 12.5 });
    expect(states()).toEqual([["withdrawn", "the budget was changed"]]);
    expect(bench.held(1)).toBeUndefined();
    bench.spend(1, { cost: 0.5 });
    expect(bench.held(1)).toMatch(/Answer question 2/);
    bench.budgets.remove(setting);
    expect(bench.held(1)).toBeUndefined();
    expect(states()[1]).toEqual(["withdrawn", "the budget was changed"]);
    expect(bench.governor.list()).toEqual([]);
  });

  test("a new day, for the budgets of a day: at midnight its question is withdrawn", () => {
    bench.set({ scope: "day" });
    bench.set({ scope: "session", limit: 11 });
    bench.start();
    bench.spend(1, { cost: 12 });
    expect(bench.held(1)).toBeDefined();
    expect(bench.questions().map(({ rule }) => rule)).toEqual(["budget/day", "budget/session"]);
    vi.advanceTimersByTime(12 * 3_600_000 - 1000);
    expect(states()).toEqual([
      ["open", null],
      ["open", null],
    ]);
    vi.spyOn(bench.agents.port, "usageHistory").mockReturnValue([]);
    vi.advanceTimersByTime(1000);
    expect(states()).toEqual([
      ["withdrawn", "a new day has begun"],
      ["open", null],
    ]);
    expect(bench.held(1)).toMatch(/^The budget of this session/);
  });

  test("a new day ends the hold of a model's budget too, and a start of the relay within the day does not", () => {
    bench.set({ scope: "model" });
    bench.start();
    bench.spend(1, { cost: 12 });
    expect(bench.held(1)).toMatch(/Answer question 1,/);
    bench.governor[Symbol.dispose]();
    bench.start();
    expect(bench.held(1)).toMatch(/Answer question 1,/);
    expect(states()).toEqual([["open", null]]);
    vi.spyOn(bench.agents.port, "usageHistory").mockReturnValue([]);
    vi.advanceTimersByTime(12 * 3_600_000);
    expect(states()).toEqual([["withdrawn", "a new day has begun"]]);
    expect(bench.held(1)).toBeUndefined();
  });

  test("a new day, before its first sum", () => {
    bench.set({ scope: "day" });
    bench.start();
    bench.spend(1, { cost: 12 });
    expect(bench.held(1)).toBeDefined();
    vi.spyOn(bench.agents.port, "usageHistory").mockReturnValue([]);
    vi.setSystemTime(new Date(2026, 2, 15, 0, 0, 1));
    expect(bench.held(1)).toBeUndefined();
  });

  describe("the reset of a window", () => {
    const use = (...used: readonly (readonly [window: string, percent: number])[]) => {
      const { agentType } = bench.place(1);
      const account = bench.agents.port.limited(bench.session.id)[0]?.account ?? "";
      bench.agents.windows = used.map(([window, usedPercent]) => ({
        ...{ agentType, account, window, minutes: 300, usedPercent, resetsAt: null, at: new Date().toISOString() },
      }));
      bench.spend(1, {});
      vi.advanceTimersByTime(SOON);
    };

    test("begins its warnings anew, and a fall to what was warned of does not", () => {
      bench.set({ scope: "window", unit: "percent", limit: 50, atLimit: "warn" });
      bench.start();
      const told = alerts();
      bench.spend(1, {});
      const percents = (percent: number) => {
        use(["5h", percent]);
        return told.map((alert) => alert.percent);
      };
      expect([percents(39), percents(40), percents(45), percents(40)]).toEqual([[], [80], [80], [80]]);
      expect([percents(39.9), percents(40)]).toEqual([[80], [80, 80]]);
      expect([percents(50), percents(49.9), percents(50)]).toEqual([
        [80, 80, 100],
        [80, 80, 100, 80],
        [80, 80, 100, 80, 100],
      ]);
      expect(told.at(-1)).toMatchObject({ percent: 100, spent: 50 });
    });

    test("withdraws the question about that window alone", () => {
      bench.set({ scope: "window", unit: "percent", limit: 90 });
      bench.start();
      bench.spend(1, {});
      use(["5h", 92], ["week", 95]);
      expect(states()).toEqual([
        ["open", null],
        ["open", null],
      ]);
      use(["5h", 3], ["week", 95]);
      expect(states()).toEqual([
        ["withdrawn", "the window was reset"],
        ["open", null],
      ]);
      expect(bench.held(1)).toMatch(/95% are used/);
    });

    test("ends what an answer allowed", async () => {
      bench.set({ scope: "window", unit: "percent", limit: 90 });
      bench.start();
      bench.spend(1, {});
      use(["5h", 92]);
      await bench.answer(1, "run");
      use(["5h", 99]);
      expect(bench.held(1)).toBeUndefined();
      use(["5h", 3]);
      use(["5h", 92]);
      expect(bench.held(1)).toMatch(/Answer question 2,/);
    });
  });

  test("the window's reset", () => {
    bench.set({ scope: "window", unit: "percent", limit: 90 });
    bench.start();
    bench.tell(1, "working");
    const use = (usedPercent: number) => {
      const { agentType } = bench.place(1);
      const account = bench.agents.port.limited(bench.session.id)[0]?.account ?? "";
      bench.agents.windows = [
        { agentType, account, window: "5h", minutes: 300, usedPercent, resetsAt: null, at: new Date().toISOString() },
      ];
      bench.spend(1, {});
    };
    bench.spend(1, {});
    use(92);
    expect(bench.held(1)).toMatch(/has reached its limit: 92% are used, and the limit is 90%\..*question 1/);
    use(95);
    expect(bench.held(1)).toMatch(/question 1/);
    use(3);
    expect(bench.held(1)).toBeUndefined();
    expect(states()).toEqual([["withdrawn", "the window was reset"]]);
    use(90);
    expect(bench.held(1)).toMatch(/question 2/);
  });
});

describe("the governor", () => {
  test("lists each budget with what counts against it, and the question that asks", () => {
    bench.set({ scope: "agent" });
    bench.start();
    expect(bench.governor.list()).toMatchObject([{ scope: "agent", uses: [] }]);
    bench.spend(1, { cost: 10 });
    bench.spend(2, { cost: 1 });
    const id = bench.session.id;
    expect(bench.governor.list()[0]?.uses).toEqual([
      { of: "agent-1", spent: 10, limit: 10, state: "held", question: { session: id, id: 1 } },
      { of: "agent-2", spent: 1, limit: 10, state: "within" },
    ]);
  });

  test("goes on when the sums cannot be read, and says so", () => {
    bench.set({ scope: "agent" });
    bench.start();
    bench.costFails = true;
    bench.spend(1, { cost: 10 });
    vi.advanceTimersByTime(SOON);
    expect(bench.warned).toEqual(["the budgets of agents could not be checked"]);
    bench.costFails = false;
    bench.governor.agentsChanged();
    vi.advanceTimersByTime(SOON);
    expect(bench.questions()).toHaveLength(1);
  });

  test("does nothing after its end", () => {
    bench.set({ scope: "agent" });
    bench.start();
    bench.spend(1, { cost: 10 });
    bench.governor[Symbol.dispose]();
    bench.governor.agentsChanged();
    vi.advanceTimersByTime(24 * 3_600_000);
    expect(bench.questions()).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
