import { mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { calcPrice } from "@pydantic/genai-prices";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { priceList } from "../../../../main/agents/price-list.ts";
import { watchPriceOverrides } from "../../../../main/agents/price-overrides.ts";
import { createPricing } from "../../../../main/agents/pricing.ts";

const at = "2026-11-21T02:00:00.000Z";
const tokens = { input: 100, cacheWrite: 1000, cacheWrite1h: 750, cached: 5000, output: 60 };
const price = createPricing(() => []);

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-prices-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("cache writes, the hour-long ones apart, and reads have their own rates", () => {
  // claude-haiku-4-5: 1 in, 1.25 write, 2 write for an hour, 0.10 read, 5 out, per million
  const expected = (100 * 1 + 250 * 1.25 + 750 * 2 + 5000 * 0.1 + 60 * 5) / 1e6;
  expect(price("anthropic", "claude-haiku-4-5", tokens, at)).toMatchObject({
    basis: "listed",
    pricedAs: "claude-haiku-4-5",
  });
  expect(price("anthropic", "claude-haiku-4-5", tokens, at).cost).toBeCloseTo(expected, 12);
});

test("tiers apply to the call: two small calls cost less than one with the tokens of both", () => {
  const half = { input: 110_000, cacheWrite: 0, cacheWrite1h: 0, cached: 0, output: 1000 };
  const whole = { ...half, input: 220_000, output: 2000 };
  const small = price("anthropic", "claude-sonnet-4-5", half, at).cost;
  expect(price("anthropic", "claude-sonnet-4-5", whole, at).cost).toBeGreaterThan(small * 2 * 1.5);
});

test.each([
  ["anthropic", "claude-sonnet-4-5-20250929", "listed"],
  ["anthropic", "claude-sonnet-4-6[1m]", "listed"],
  ["anthropic", "claude-sonnet-5-5", "listed"],
  ["anthropic", "claude-sonnet-5-5-20261001", "listed"],
  ["anthropic", "claude-sonnet-5-6", "approximate"],
  ["anthropic", "claude-mythos-5-1", "listed"],
  ["anthropic", "claude-nova-9", "unpriced"],
  ["openai", "gpt-5-codex", "approximate"],
  ["openai", "gpt-6", "unpriced"],
  ["openai", "codex-auto-review", "unpriced"],
  ["anthropic", "claude-haiku-5-5", "listed"],
  ["nobody", "gpt-5.5", "unpriced"],
])("%s %s is %s", (provider, model, basis) => {
  const { cost, basis: found } = price(provider, model, tokens, at);
  expect(found).toBe(basis);
  expect(cost > 0).toBe(basis !== "unpriced");
});

test.each([
  // Input, cache writes of 5 minutes and of an hour, cache reads, output: in dollars for a million, by Claude Code 2.1.330.
  ["claude-sonnet-5-5", [2, 2.5, 4, 0.1, 10]],
  ["claude-mythos-5-1", [10, 12.5, 20, 0.25, 50]],
  ["claude-mythos-5", [10, 12.5, 20, 1, 50]],
  ["claude-fable-5-2", [8, 10, 16, 0.2, 40]],
  ["claude-haiku-5-5", [0.1, 0.125, 0.2, 0.01, 0.5]],
] as const)("%s, which the list does not have, has its maker's prices", (model, [input, write, hour, read, output]) => {
  const expected = (100 * input + 250 * write + 750 * hour + 5000 * read + 60 * output) / 1e6;
  expect(price("anthropic", model, tokens, at)).toMatchObject({ basis: "listed", pricedAs: model });
  expect(price("anthropic", model, tokens, at).cost).toBeCloseTo(expected, 12);
  expect(price("", `anthropic/${model}`, tokens, at).cost).toBeCloseTo(expected, 12);
});

test("Haiku 5.5 has a second price for a prompt of more than 100,000 tokens", () => {
  const long = { input: 1000, cacheWrite: 0, cacheWrite1h: 0, cached: 100_000, output: 100 };
  expect(price("anthropic", "claude-haiku-5-5", long, at).cost).toBeCloseTo(
    (1000 * 0.5 + 100_000 * 0.05 + 100 * 2.5) / 1e6,
    12,
  );
});

test("a long prompt to Sonnet 4.5 is approximate: its maker's program and the list count it in two ways", () => {
  const short = { input: 200_000, cacheWrite: 0, cacheWrite1h: 0, cached: 0, output: 100 };
  const long = { ...short, cached: 1 };
  expect(price("anthropic", "claude-sonnet-4-5", short, at).basis).toBe("listed");
  expect(price("anthropic", "claude-sonnet-4-5-20250929", long, at).basis).toBe("approximate");
});

test.each([
  ["us.anthropic.claude-sonnet-4-6-20260217-v1:0", "anthropic", "claude-sonnet-4-6"],
  ["anthropic.claude-haiku-4-5-20251001-v1:0", "anthropic", "claude-haiku-4-5"],
  ["arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-opus-5-5", "anthropic", "claude-opus-5-5"],
  ["claude-sonnet-4-5@20250929", "anthropic", "claude-sonnet-4-5"],
  ["anthropic/claude-sonnet-4.6", "anthropic", "claude-sonnet-4-6"],
  ["anthropic/claude-sonnet-4.6:beta", "anthropic", "claude-sonnet-4-6"],
  ["openai/gpt-5.4", "openai", "gpt-5.4"],
  ["google/gemini-2.5-pro", "google", "gemini-2.5-pro"],
])("%s is priced as the maker's model", (id, maker, model) => {
  const own = price(maker, model, tokens, at);
  expect(own.basis).toBe("listed");
  for (const provider of ["anthropic", "", "opencode"]) {
    const { cost, ...found } = price(provider, id, tokens, at);
    expect(found).toEqual({ basis: "listed", pricedAs: own.pricedAs });
    expect(cost).toBeCloseTo(own.cost, 12);
  }
});

test("an agent of several providers is priced by the model's id, and a model of another seller is approximate", () => {
  expect(price("", "gpt-5.4", tokens, at)).toEqual(price("openai", "gpt-5.4", tokens, at));
  expect(price("", "claude-haiku-4-5", tokens, at).basis).toBe("listed");
  expect(price("", "deepseek-chat", tokens, at)).toMatchObject({ basis: "listed", pricedAs: "deepseek-chat" });
  expect(price("", "no-such-model", tokens, at)).toEqual({ cost: 0, basis: "unpriced" });
  expect(price("qwen", "qwen3-coder-plus", tokens, at)).toMatchObject({
    basis: "approximate",
    pricedAs: "qwen/qwen3-coder-plus",
  });
});

test("a price of one's own fits the id as written and the maker's", () => {
  const prices = { input: 1, output: 1 };
  for (const match of ["us.anthropic.claude-*", "claude-haiku-4-5-20251001"]) {
    const own = createPricing(() => [{ provider: "anthropic", match, prices }]);
    expect(own("anthropic", "us.anthropic.claude-haiku-4-5-20251001-v1:0", tokens, at).basis).toBe("override");
  }
});

test("of several prices of one's own that fit, the first counts", () => {
  const priced = (input: number, match: string) => ({ provider: "openai", match, prices: { input, output: 0 } });
  const own = createPricing(() => [priced(1, "gpt-6-mini"), priced(2, "gpt-6*"), priced(3, "*")]);
  const million = { input: 1_000_000, cacheWrite: 0, cacheWrite1h: 0, cached: 0, output: 0 };
  expect(["gpt-6-mini", "gpt-6", "gpt-7"].map((model) => own("openai", model, million, at))).toEqual([
    { cost: 1, basis: "override", pricedAs: "gpt-6-mini" },
    { cost: 2, basis: "override", pricedAs: "gpt-6*" },
    { cost: 3, basis: "override", pricedAs: "*" },
  ]);
  expect(own("anthropic", "gpt-6", million, at).basis).not.toBe("override");
});

test("a list that is installed counts from the next call on, each time", () => {
  const listOf = (input_mtok: number) => [
    { id: "openai", models: [{ id: "gpt-6", match: { equals: "gpt-6" }, prices: { input_mtok } }] },
  ];
  let installed: ReturnType<typeof listOf> | undefined;
  const listed = createPricing(
    () => [],
    () => installed,
  );
  const million = { input: 1_000_000, cacheWrite: 0, cacheWrite1h: 0, cached: 0, output: 0 };
  const cost = () => listed("openai", "gpt-6", million, at).cost;
  const costs = [undefined, listOf(3), listOf(4), undefined, listOf(5)].map((list) => {
    installed = list;
    return [cost(), cost()];
  });
  expect(costs).toEqual([
    [0, 0],
    [3, 3],
    [4, 4],
    [0, 0],
    [5, 5],
  ]);
});

test("the quick way to a price gives what the list gives, for any call", () => {
  const part = fc.integer({ min: 0, max: 400_000 });
  const model = fc.constantFrom(
    ...(["claude-haiku-4-5", "claude-sonnet-4-6", "claude-sonnet-4-5", "claude-opus-5-5"] as const),
  );
  fc.assert(
    fc.property(
      model,
      part,
      part,
      fc.double({ min: 0, max: 1, noNaN: true }),
      part,
      part,
      (id, input, cacheWrite, share, cached, output) => {
        const cacheWrite1h = Math.floor(cacheWrite * share);
        const usage = {
          input_tokens: input + cacheWrite + cached,
          output_tokens: output,
          cache_read_tokens: cached,
          cache_write_tokens: cacheWrite,
          cache_write_1h_tokens: cacheWrite1h,
        };
        const listed = calcPrice(usage, id, { providerId: "anthropic", timestamp: new Date(at) })?.total_price;
        const { cost } = price("anthropic", id, { input, cacheWrite, cacheWrite1h, cached, output }, at);
        expect(cost).toBeCloseTo(listed ?? Number.NaN, 9);
      },
    ),
  );
});

test("the version that is shown is the installed one", () => {
  const manifest = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../../../node_modules/@pydantic/genai-prices/package.json"), "utf8"),
  ) as { version: string };
  expect(priceList.version).toBe(manifest.version);
});

test("the user's prices win, and a file with a mistake is ignored with a line that says where", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const file = join(folder, "prices.json");
  const log = vi.fn();
  const overrides = watchPriceOverrides(file, log);
  const own = createPricing(overrides);
  expect(own("openai", "gpt-6", tokens, at).basis).toBe("unpriced");
  const entry = { provider: "openai", match: "gpt-6*", prices: { input: 2, output: 8, cacheRead: 0.5 } };
  writeFileSync(file, JSON.stringify([entry]));
  vi.advanceTimersByTime(2000);
  const expected = (1100 * 2 + 5000 * 0.5 + 60 * 8) / 1e6;
  expect(own("openai", "gpt-6-mini", tokens, at)).toMatchObject({ basis: "override", pricedAs: "gpt-6*" });
  expect(own("openai", "gpt-6", tokens, at).cost).toBeCloseTo(expected, 12);
  writeFileSync(file, JSON.stringify([{ ...entry, prices: { input: -2, output: 8 } }]));
  utimesSync(file, 1, 1);
  vi.advanceTimersByTime(2000);
  expect(own("openai", "gpt-6", tokens, at).basis).toBe("unpriced");
  writeFileSync(file, "{ not json");
  vi.advanceTimersByTime(2000);
  expect(own("openai", "gpt-6", tokens, at).basis).toBe("unpriced");
  expect(log.mock.calls.map(([message]) => message)).toEqual([
    "price overrides ignored: the file has a mistake",
    "price overrides ignored: the file is not readable JSON",
  ]);
  expect(JSON.stringify(log.mock.calls[0])).toContain("prices.input");
  vi.useRealTimers();
});
