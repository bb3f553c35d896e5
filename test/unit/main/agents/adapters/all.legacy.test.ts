import { join } from "node:path";
import { expect, test } from "vitest";
import { allAdapters } from "../../../../../main/agents/adapters/all.ts";
import { createPricing } from "../../../../../main/agents/pricing.ts";
import { openAccount, readEvents } from "../../../../../main/agents/session-account.ts";

/**
 * Transcripts that were recorded with older versions of the agents against the stubs in test/support. The numbers
 * follow from the stubs' arithmetic (usage is a function of the call's number) and were compared with ccusage 20.0.24.
 */
const legacy = join(import.meta.dirname, "../../../../fixtures/agents/legacy");

test.each([
  // The first file's answers say output 1 and are never corrected; two warm-ups belong to each run.
  ["claude-2.0.76", "55555555-5555-4555-8555-555555555555", 10, 14655, 10, 315_000, 0.17302725],
  ["claude-2.0.76", "a52ad988-56e3-4509-8018-fd9d9479070e", 3, 5468, 3, 165_000, 0.07862775],
  ["claude-2.0.76", "31e288ed-57e1-4e7b-b152-c33166f06688", 6, 15_875, 6, 530_000, 0.244492],
  ["claude-2.1.197", "55555555-5555-4555-8555-555555555555", 6, 8181, 510, 105_000, 0.08343675],
  ["claude-2.1.197", "7a96f99f-6222-4e43-bc99-95a45dcbb1f5", 1, 1717, 120, 35_000, 0.02159475],
  ["claude-2.1.197", "031da434-753f-465b-9d78-ba6e60138a94", 4, 7878, 292, 190_000, 0.1040265],
  ["codex-0.98", "01a1fc35-f164-7be0-a4d0-439d6318772b", 5, 5750, 275, 5750, 0.039875],
  ["codex-0.98", "01a1fc36-0d0a-7443-9601-163ef08c60b2", 1, 1300, 70, 1300, 0.00925],
  ["gemini-0.25", "f9240ec0-daab-44b0-9f1e-e094dfee7012", 5, 8250, 310, 8250, 0.0098185],
  ["gemini-0.25", "6b1c44a1-5853-4952-8132-a9f59a2caf6c", 1, 1800, 74, 1800, 0.003215],
])("%s session %s", async (version, sessionId, calls, input, output, cached, cost) => {
  const account = await openAccount(sourceOf(version, sessionId));
  await account.update();
  expect(account.ledger.counted).toBe(calls);
  expect(account.usage()).toMatchObject({ input, output, cached });
  expect(account.usage().cost).toBeCloseTo(cost, 9);
});

test.each([
  [
    "claude-2.0.76",
    "55555555-5555-4555-8555-555555555555",
    "user_message assistant_message tool_call tool_result assistant_message tool_call tool_call tool_result tool_result assistant_message tool_call tool_result assistant_message user_message assistant_message tool_call tool_result assistant_message subagent_prompt assistant_message assistant_message subagent_prompt assistant_message assistant_message",
  ],
  ["claude-2.1.197", "7a96f99f-6222-4e43-bc99-95a45dcbb1f5", "user_message thinking assistant_message"],
  [
    "codex-0.98",
    "01a1fc36-0d0a-7443-9601-163ef08c60b2",
    "user_message thinking assistant_message tool_call tool_result",
  ],
  [
    "gemini-0.25",
    "6b1c44a1-5853-4952-8132-a9f59a2caf6c",
    "user_message thinking assistant_message tool_call tool_result",
  ],
])("events of %s session %s", async (version, sessionId, types) => {
  const events = await readEvents(sourceOf(version, sessionId), { limit: 1000 });
  expect(events.map(({ type }) => type).join(" ")).toBe(types);
});

test("`limit` keeps the last ones of the types that are asked for", async () => {
  const source = sourceOf("codex-0.98", "01a1fc35-f164-7be0-a4d0-439d6318772b");
  const all = await readEvents(source, { limit: 1000 });
  const calls = await readEvents(source, { types: ["tool_call"], limit: 2 });
  expect(calls).toEqual(all.filter(({ type }) => type === "tool_call").slice(-2));
  expect(await readEvents(source, { limit: 0 })).toEqual([]);
});

function sourceOf(version: string, sessionId: string) {
  const kind = version.split("-")[0];
  const adapter = allAdapters().find((one) => one.kind === kind);
  const home = adapter?.home((name) => (name === "HOME" ? join(legacy, version) : undefined));
  if (adapter === undefined || home === undefined) throw new Error(`no adapter for ${version}`);
  const problem = ({ reason }: { reason: string }) => expect.unreachable(reason);
  return { adapter, home, sessionId, price: createPricing(() => []), log: { problem } };
}
