import { expect, test } from "vitest";
import type { TranscriptSink } from "../../../../main/agents/adapters/adapter.ts";
import { ClaudeParser } from "../../../../main/agents/adapters/claude-records.ts";
import { CodexParser } from "../../../../main/agents/adapters/codex-records.ts";
import { Ledger, type PricedCall } from "../../../../main/agents/ledger.ts";
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
  ["claude-opus-4-8", { speed: "fast" }, 33],
  ["claude-opus-5", { speed: "fast" }, 33],
  ["claude-opus-5-5", { speed: "fast" }, 24.4],
  ["claude-opus-5-5", { server_tool_use: { web_search_requests: 3 } }, 15.2],
  ["claude-opus-5-5", { inference_geo: "us" }, 13.42],
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
  const advisor = { type: "advisor_message", model: "claude-opus-5", ...usage };
  const iterations = [{ type: "message", ...usage }, advisor];
  expect(cents("claude-sonnet-5", { iterations })).toBeCloseTo(cents("claude-sonnet-5") + 16.5, 6);
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
