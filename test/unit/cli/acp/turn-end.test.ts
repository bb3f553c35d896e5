import { describe, expect, test } from "vitest";
import { modelIn, readTurnEnd } from "../../../../cli/acp/turn-end.ts";

describe("the end of a turn, as the real programs tell it", () => {
  test("claude-agent-acp 0.101.0: the usage by models names the model, and includes the call for a title", () => {
    const usage = {
      inputTokens: 24,
      outputTokens: 140,
      cachedReadTokens: 20_000,
      cachedWriteTokens: 2400,
      totalTokens: 22_564,
    };
    const token_count = {
      totalTokens: 33_846,
      inputTokens: 36,
      cachedInputTokens: 30_000,
      cachedWriteTokens: 3600,
      outputTokens: 210,
      reasoningOutputTokens: 0,
    };
    const quota = { token_count: {}, model_usage: [{ model: "claude-opus-5-5", token_count }] };
    expect(readTurnEnd({ stopReason: "end_turn", usage, _meta: { quota } })).toEqual({
      stop: "end_turn",
      calls: [{ model: "claude-opus-5-5", tokens: { input: 36, cached: 30_000, cacheWrite: 3600, output: 210 } }],
    });
  });

  test("codex-acp 2.6.0: the output includes the thoughts", () => {
    const usage = {
      totalTokens: 4395,
      inputTokens: 2150,
      cachedReadTokens: 2150,
      cachedWriteTokens: 0,
      outputTokens: 95,
      thoughtTokens: 23,
    };
    const tokens = { input: 2150, cached: 2150, cacheWrite: 0, output: 95 };
    expect(readTurnEnd({ stopReason: "cancelled", usage })).toEqual({
      stop: "cancelled",
      calls: [{ model: "", tokens }],
    });
    const token_count = {
      totalTokens: 4395,
      inputTokens: 2150,
      cachedInputTokens: 2150,
      cacheWriteInputTokens: 0,
      outputTokens: 95,
      reasoningOutputTokens: 23,
    };
    const quota = { model_usage: [{ model: "gpt-5.5", token_count }] };
    expect(readTurnEnd({ stopReason: "end_turn", usage, _meta: { quota } }).calls).toEqual([
      { model: "gpt-5.5", tokens },
    ]);
  });

  test("thoughts beside the output count too", () => {
    const usage = { totalTokens: 130, inputTokens: 100, outputTokens: 20, thoughtTokens: 10 };
    const [call] = readTurnEnd({ stopReason: "end_turn", usage }).calls;
    expect(call?.tokens.output).toBe(30);
    const [untold] = readTurnEnd({ stopReason: "end_turn", usage: { ...usage, totalTokens: undefined } }).calls;
    expect(untold?.tokens.output).toBe(30);
  });

  test("gemini 0.61.0: two figures for each model", () => {
    const token_count = { input_tokens: 1800, output_tokens: 74 };
    const quota = { model_usage: [{ model: "gemini-2.5-pro", token_count }] };
    expect(readTurnEnd({ stopReason: "end_turn", _meta: { quota } }).calls).toEqual([
      { model: "gemini-2.5-pro", tokens: { input: 1800, cached: 0, cacheWrite: 0, output: 74 } },
    ]);
  });

  test("no usage is none", () => {
    expect(readTurnEnd({ stopReason: "end_turn" })).toEqual({ stop: "end_turn", calls: [] });
    expect(readTurnEnd(null)).toEqual({ stop: "end_turn", calls: [] });
  });
});

test("the model's option names it without the effort of the older list", () => {
  const configOptions = [
    { id: "mode", category: "mode", currentValue: "agent" },
    { id: "model", category: "model", currentValue: "gpt-5.5" },
  ];
  expect(modelIn({ models: { currentModelId: "gpt-5.5[medium]" }, configOptions })).toBe("gpt-5.5");
  expect(modelIn({ models: { currentModelId: "anthropic/claude-sonnet-4-6" } })).toBe("claude-sonnet-4-6");
  expect(modelIn({})).toBeUndefined();
});
