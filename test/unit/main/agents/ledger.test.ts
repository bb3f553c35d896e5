import { describe, expect, test } from "vitest";
import type { TranscriptSink } from "../../../../main/agents/adapters/adapter.ts";
import { ClaudeParser } from "../../../../main/agents/adapters/claude-records.ts";
import { CodexParser } from "../../../../main/agents/adapters/codex-records.ts";
import { addUsage, Ledger, noUsage, type PricedCall, sumByModel } from "../../../../main/agents/ledger.ts";
import { createPricing, type PriceCall } from "../../../../main/agents/pricing.ts";

const at = "2026-11-21T02:00:00.000Z";

/** 1,000 tokens of fresh input, 4,000 cached for 5 minutes, 6,000 for an hour, 50,000 read from the cache, 2,000 of output. */
const usage = {
  input_tokens: 1000,
  output_tokens: 2000,
  cache_read_input_tokens: 50_000,
  cache_creation_input_tokens: 10_000,
  cache_creation: { ephemeral_5m_input_tokens: 4000, ephemeral_1h_input_tokens: 6000 },
};

function cents(model: string, more: object = {}): number {
  const ledger = new Ledger(
    "anthropic",
    createPricing(() => []),
    new Set(),
  );
  new ClaudeParser("s", "usage").record(
    {
      type: "assistant",
      uuid: "u",
      sessionId: "s",
      timestamp: "2026-11-21T02:00:00.000Z",
      message: { id: "msg_1", model, stop_reason: "end_turn", content: [], usage: { ...usage, ...more } },
    },
    false,
    sinkTo(ledger),
  );
  return centsIn(ledger);
}

const nothing = () => undefined;

/** Takes the calls of a transcript, and nothing else. */
function sinkTo(ledger: Ledger): TranscriptSink {
  return {
    call: (call) => ledger.add(call),
    ...{ event: nothing, status: nothing, model: nothing, reported: nothing, context: nothing },
    ...{ windows: nothing, facts: nothing, skip: nothing },
  };
}

function centsIn(ledger: Ledger): number {
  return ledger.byModel().reduce((sum, one) => sum + one.usage.cost, 0) * 100;
}

/** What Claude Code 2.1.330 wrote as its own cost of the same answer. */
test.each([
  ["claude-opus-4-6", { speed: "standard" }, 16.5],
  ["claude-opus-4-6", { speed: "fast" }, 99],
  ["claude-opus-4-7", { speed: "fast" }, 99],
  ["anthropic/claude-opus-4.7", { speed: "fast" }, 99],
  ["claude-opus-4-8", { speed: "fast" }, 33],
  ["claude-opus-5", { speed: "fast" }, 33],
  ["claude-opus-5-5", { speed: "fast" }, 24.4],
  ["claude-opus-5-5", { server_tool_use: { web_search_requests: 3 } }, 15.2],
  ["claude-opus-5-5", { inference_geo: "us" }, 13.42],
  ["claude-opus-5-5", { speed: "fast", server_tool_use: { web_search_requests: 3 } }, 27.4],
  ["claude-opus-5", { speed: "fast", inference_geo: "us" }, 36.3],
  ["claude-sonnet-4-6", { service_tier: "batch" }, 9.9],
  ["claude-sonnet-4-6", { service_tier: "priority", inference_geo: "" }, 9.9],
  ["us.anthropic.claude-sonnet-4-6-v1:0", {}, 9.9],
  ["anthropic/claude-sonnet-4.6", {}, 9.9],
])("%s with %j costs %d cents", (model, more, expected) => {
  expect(cents(model, more)).toBeCloseTo(expected, 6);
});

/** Prices the calls of a thread of Codex, each after its settings, as Codex 0.169.0 writes them. */
function codexCents(...calls: readonly { readonly model: string; readonly tier?: unknown }[]): number {
  const ledger = new Ledger(
    "openai",
    createPricing(() => []),
    new Set(),
  );
  const parser = new CodexParser("t", "usage");
  const write = (type: string, payload: object) => {
    const line = Buffer.from(JSON.stringify({ timestamp: at, type, payload }));
    if (parser.matters(line, 0, line.length) !== "no")
      parser.record(JSON.parse(line.toString()), false, sinkTo(ledger));
  };
  write("session_meta", { id: "t" });
  for (const [index, { model, tier }] of calls.entries()) {
    write("event_msg", { type: "thread_settings_applied", thread_settings: { model, service_tier: tier } });
    write("turn_context", { model });
    const counted = { input_tokens: 10_000, cached_input_tokens: 4000, output_tokens: 2000 };
    write("token_usage_record", { response_id: `r-${index}`, usage: counted });
  }
  return centsIn(ledger);
}

test.each([
  ["gpt-5.5", "priority", 2.5],
  ["gpt-5.4", "priority", 2],
  ["gpt-5.5", "flex", 0.5],
  ["gpt-5.5", "default", 1],
  ["gpt-5.5", null, 1],
  ["gpt-5.5", { tier: 7 }, 1],
])("Codex: %s with the service tier %j costs %d times as much", (model, tier, factor) => {
  const plain = codexCents({ model });
  expect(plain).toBeGreaterThan(1);
  expect(codexCents({ model, tier })).toBeCloseTo(plain * factor, 6);
  expect(codexCents({ model, tier }, { model, tier: "default" })).toBeCloseTo(plain * (factor + 1), 6);
});

test("what an advisor was asked counts as a call of its model, once", () => {
  const asked = { ...usage, input_tokens: 3000, output_tokens: 500, cache_read_input_tokens: 0 };
  const advisor = { type: "advisor_message", model: "claude-opus-5", ...asked };
  const iterations = [{ type: "message", ...usage }, advisor];
  const alone = cents("claude-opus-5", asked);
  expect(alone).not.toBeCloseTo(cents("claude-opus-5"), 1);
  expect(cents("claude-sonnet-5", { iterations })).toBeCloseTo(cents("claude-sonnet-5") + alone, 6);
});

test("surcharges in a form that is not known leave the answer counted", () => {
  for (const more of [{ speed: 7 }, { inference_geo: {} }, { server_tool_use: "x" }, { iterations: [{ type: 1 }] }])
    expect(cents("claude-opus-5-5", more)).toBeCloseTo(12.2, 6);
});

test("what was counted keeps its price under another list; what had none gets one when it is read again", () => {
  const tokens = { input: 10, cacheWrite: 0, cacheWrite1h: 0, cached: 0, output: 5 };
  const calls = ["known", "new"].map((model) => ({ id: model, model, at, tokens, subagent: false }));
  const priced = (list: Readonly<Record<string, number>>, known: readonly PricedCall[]) => {
    const price: PriceCall = (_, model) =>
      model in list ? { cost: list[model] ?? 0, basis: "listed" } : { cost: 0, basis: "unpriced" };
    const ledger = new Ledger("openai", price, new Set(), known);
    for (const call of calls) ledger.add(call);
    const changed: PricedCall[] = [];
    ledger.flush((some) => changed.push(...some));
    return changed;
  };
  const first = priced({ known: 1 }, []);
  expect(first.map(({ model, cost, basis }) => [model, cost, basis])).toEqual([
    ["known", 1, "listed"],
    ["new", 0, "unpriced"],
  ]);
  expect(priced({ known: 1 }, first)).toEqual([]);
  expect(priced({ known: 2, new: 3 }, first)).toMatchObject([{ model: "new", cost: 3, basis: "listed" }]);
});

describe("a sum", () => {
  const listed = { input: 1, output: 2, cached: 3, cost: 0.1 };

  test("is as doubtful as its most doubtful part, whichever side that is on", () => {
    for (const [doubt, both] of [
      [{ unpriced: true }, { unpriced: true }],
      [
        { approximate: true, approximateCost: 0.1 },
        { approximate: true, approximateCost: 0.2 },
      ],
    ] as const) {
      const doubtful = { ...listed, ...doubt };
      const sum = { input: 2, output: 4, cached: 6, cost: 0.2 };
      expect(addUsage(listed, doubtful)).toEqual({ ...sum, ...doubt });
      expect(addUsage(doubtful, listed)).toEqual({ ...sum, ...doubt });
      expect(addUsage(noUsage, doubtful)).toEqual(doubtful);
      expect(addUsage(doubtful, doubtful)).toEqual({ ...sum, ...both });
    }
    // A record of an earlier version does not say how much of it is approximate.
    expect(addUsage(listed, { ...listed, approximate: true })).toMatchObject({ cost: 0.2, approximateCost: 0.1 });
    expect(addUsage({ ...listed, approximate: true }, { ...listed, unpriced: true })).toMatchObject({
      approximate: true,
      unpriced: true,
    });
    expect(addUsage(listed, listed)).toEqual({ input: 2, output: 4, cached: 6, cost: 0.2 });
  });

  test("of a model has the basis and the price's name of its most doubtful call", () => {
    const call = (id: string, more: Partial<PricedCall>): PricedCall => ({
      ...{ id, model: "m", at, input: 1, output: 2, cached: 3, cost: 0.1, basis: "listed", pricedAs: "m" },
      ...more,
    });
    const order = ["listed", "override", "reported", "approximate", "unpriced"] as const;
    for (const [index, worst] of order.entries()) {
      const calls = order.slice(0, index + 1).map((basis) => call(basis, { basis, pricedAs: `as ${basis}` }));
      for (const some of [calls, calls.toReversed()]) {
        const doubt = {
          ...(worst === "unpriced" && { unpriced: true }),
          ...(index >= order.indexOf("approximate") && { approximate: true, approximateCost: 0.1 }),
        };
        const count = some.length;
        const usage = { input: count, output: 2 * count, cached: 3 * count, cost: count / 10, ...doubt };
        expect(sumByModel(some)).toEqual([{ model: "m", calls: count, basis: worst, pricedAs: `as ${worst}`, usage }]);
      }
    }
    expect(sumByModel([call("a", {}), call("b", { model: "n" })]).map(({ model, calls }) => [model, calls])).toEqual([
      ["m", 1],
      ["n", 1],
    ]);
  });
});

describe("a call that counts", () => {
  const free: PriceCall = () => ({ cost: 1, basis: "listed" });
  const tokens = { input: 10, cacheWrite: 20, cacheWrite1h: 5, cached: 30, output: 40 };
  const call = { id: "a", model: "m", at, tokens, subagent: false };
  const ledgerOf = (price: PriceCall = free, foreign: readonly string[] = []) =>
    new Ledger("openai", price, new Set(foreign));

  test("counts once by its id, with its largest output", () => {
    const ledger = ledgerOf();
    for (const output of [40, 7, 40, 50, 49]) ledger.add({ ...call, tokens: { ...tokens, output } });
    expect(ledger.byModel()).toEqual([
      { model: "m", calls: 1, basis: "listed", usage: { input: 30, output: 50, cached: 30, cost: 1 } },
    ]);
    ledger.add({ ...call, id: "b" });
    expect([ledger.counted, ledger.byModel()[0]?.calls]).toEqual([2, 2]);
    expect([...ledger.all()].map(({ id }) => id)).toEqual(["a", "b"]);
  });

  test("is not one of an older session, nor of an absurd size or price, and each reason is counted", () => {
    const ledger = ledgerOf((_, model) => ({ cost: model === "dear" ? 1e6 + 1 : 1e6, basis: "listed" }), ["old"]);
    ledger.add({ ...call, id: "old" });
    ledger.add({ ...call, id: "old" });
    ledger.add({ ...call, id: "dear", model: "dear" });
    for (const part of ["input", "cacheWrite", "cacheWrite1h", "cached", "output"] as const) {
      for (const absurd of [1e10 + 1, -1]) ledger.add({ ...call, id: part, tokens: { ...tokens, [part]: absurd } });
      ledger.add({ ...call, id: `most ${part}`, tokens: { ...tokens, [part]: 1e10 } });
    }
    expect(ledger.skipped).toEqual([
      { reason: "copied from the session that this one was forked from", count: 2 },
      { reason: "absurd price", count: 1 },
      { reason: "absurd number of tokens", count: 10 },
    ]);
    expect([...ledger.all()].map(({ id }) => id)).toEqual(
      ["input", "cacheWrite", "cacheWrite1h", "cached", "output"].map((part) => `most ${part}`),
    );
  });

  test("is priced by its own provider, else by the agent's", () => {
    const asked: string[] = [];
    const ledger = ledgerOf((provider) => {
      asked.push(provider);
      return { cost: 0, basis: "listed" };
    });
    ledger.add(call);
    ledger.add({ ...call, id: "b", provider: "google" });
    expect(asked).toEqual(["openai", "google"]);
  });

  test("costs what the agent says where no list does, or where it stands for several calls", () => {
    const cost = (basis: "listed" | "override" | "unpriced", more: object) => {
      const ledger = ledgerOf(() => ({ cost: basis === "unpriced" ? 0 : 1, basis, pricedAs: "x" }));
      ledger.add({ ...call, ...more });
      const [only] = ledger.all();
      return [only?.cost, only?.basis, only?.pricedAs];
    };
    const reported = [5, "reported", undefined];
    expect(cost("unpriced", { ownCost: 5 })).toEqual(reported);
    expect(cost("unpriced", { ownCost: 0 })).toEqual([0, "unpriced", "x"]);
    expect(cost("unpriced", {})).toEqual([0, "unpriced", "x"]);
    expect(cost("listed", { ownCost: 5 })).toEqual([1, "listed", "x"]);
    expect(cost("listed", { ownCost: 5, isSeveral: true })).toEqual(reported);
    expect(cost("override", { ownCost: 5, isSeveral: true })).toEqual([1, "override", "x"]);
  });

  test("is handed over until it is kept", () => {
    const ledger = ledgerOf();
    ledger.add(call);
    const failing = () => {
      throw new Error("the disk is full");
    };
    expect(() => ledger.flush(failing)).toThrow("the disk is full");
    const kept: (readonly PricedCall[])[] = [];
    ledger.flush((calls) => kept.push(calls));
    ledger.flush((calls) => kept.push(calls));
    expect(kept).toEqual([[{ id: "a", model: "m", at, input: 30, output: 40, cached: 30, cost: 1, basis: "listed" }]]);
  });
});
