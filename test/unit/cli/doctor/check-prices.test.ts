import { expect, test } from "vitest";
import { pricesFinding } from "../../../../cli/doctor/check-prices.ts";

const list = { list: "prices", date: "2026-09-23" };

test("says which models in use have no price, with their agents and calls", () => {
  const unpriced = [
    { model: "claude-nova-9", agentType: "claude", calls: 7 },
    { model: "gpt-9", agentType: "codex", calls: 1 },
  ];
  const { state, found, advice } = pricesFinding({ ...list, unpriced });
  expect(state).toBe("problem");
  expect(found).toContain("claude-nova-9 (claude, 7), gpt-9 (codex, 1).");
  expect(advice).toContain("service agents prices update");
});

test("names five models, and how many more there are", () => {
  const unpriced = Array.from({ length: 8 }, (_, index) => ({ model: `m${index}`, agentType: "acp", calls: 1 }));
  expect(pricesFinding({ ...list, unpriced }).found).toMatch(/m4 \(acp, 1\) and 3 more\.$/);
});

test("is content where every model has one, and names an installed list that is not used", () => {
  expect(pricesFinding({ ...list, unpriced: [] })).toEqual({
    state: "ok",
    found: "Every model in use has a price (prices, 2026-09-23).",
  });
  const damaged = pricesFinding({ ...list, unpriced: [], problem: "the signature is not valid" });
  expect(damaged).toMatchObject({ state: "problem", found: expect.stringContaining("signature is not valid") });
});
