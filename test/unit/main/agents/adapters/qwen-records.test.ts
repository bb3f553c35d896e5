import { expect, test } from "vitest";
import { QwenParser } from "../../../../../main/agents/adapters/qwen-records.ts";

const nothing = {
  call: () => undefined,
  event: () => undefined,
  model: () => undefined,
  reported: () => undefined,
  context: () => undefined,
  windows: () => undefined,
  facts: () => undefined,
  skip: () => undefined,
};
const record = (type: string, parts: readonly object[], more: object = {}) => ({
  ...{ type, uuid: "u", sessionId: "s", timestamp: "2026-11-27T03:00:00.000Z", message: { parts } },
  ...more,
});
const calls = (...ids: string[]) =>
  record(
    "assistant",
    ids.map((id) => ({ functionCall: { id, name: "run", args: {} } })),
  );
const result = (id: string, status: string) =>
  record("tool_result", [{ functionResponse: { id, response: { output: "" } } }], { toolCallResult: { status } });

test.each([
  ["whose only call was cancelled is over", [calls("a"), result("a", "cancelled")], "idle"],
  ["whose call has run goes on", [calls("a"), result("a", "success")], "working"],
  ["whose call has failed goes on", [calls("a"), result("a", "error")], "working"],
  ["goes on while another call may run", [calls("a", "b"), result("a", "cancelled")], "working"],
  [
    "goes on with the result of one that has run",
    [calls("a", "b"), result("a", "success"), result("b", "cancelled")],
    "working",
  ],
  [
    "is over with the last of the cancelled ones",
    [calls("a", "b"), result("a", "cancelled"), result("b", "cancelled")],
    "idle",
  ],
  ["is judged by its own calls", [calls("a"), result("a", "success"), calls("b"), result("b", "cancelled")], "idle"],
])("a turn of Qwen Code %s", (_, records, state) => {
  const states: string[] = [];
  const parser = new QwenParser("usage");
  for (const one of records) parser.record(one, false, { ...nothing, status: (status) => void states.push(status) });
  expect(states.at(-1)).toBe(state);
});

test("the calls that a fork has copied count in the session that made them", () => {
  const uiEvent = { "event.name": "qwen-code.api_response", input_token_count: 5, total_token_count: 7, model: "m" };
  const answered = (response_id: string, more: object = {}) =>
    record("system", [], {
      ...{ subtype: "ui_telemetry", systemPayload: { uiEvent: { ...uiEvent, response_id } } },
      ...more,
    });
  const ids: string[] = [];
  const parser = new QwenParser("usage");
  const sink = { ...nothing, status: () => undefined, call: ({ id }: { id: string }) => void ids.push(id) };
  for (const one of [answered("r-1", { forkedFrom: "other" }), answered("r-2")]) parser.record(one, false, sink);
  expect(ids).toEqual(["r-2"]);
});
