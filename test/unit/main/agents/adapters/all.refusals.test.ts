import { expect, test } from "vitest";
import type { AgentEvent } from "../../../../../core/protocol/agent-records.ts";
import { claudeAdapter } from "../../../../../main/agents/adapters/claude.ts";
import { codexAdapter } from "../../../../../main/agents/adapters/codex.ts";
import { geminiAdapter } from "../../../../../main/agents/adapters/gemini.ts";
import { qwenAdapter } from "../../../../../main/agents/adapters/qwen.ts";
import { nothing } from "../../../../../main/agents/session-account.ts";

const timestamp = "2026-11-24T10:00:00.000Z";

const claude = (content: string, is_error: boolean, more: object = {}) => ({
  ...{ type: "user", uuid: "u", sessionId: "s", timestamp, ...more },
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content, is_error }] },
});
const codex = (output: string) => ({
  ...{ timestamp, type: "response_item" },
  payload: { type: "function_call_output", call_id: "c", output },
});
const gemini = (status: string, said: string) => ({
  ...{ id: "m", type: "gemini", timestamp, content: "", model: "m", tokens: { input: 1, output: 1 } },
  toolCalls: [
    { id: "c", name: "run", status, timestamp, result: [{ functionResponse: { response: { error: said } } }] },
  ],
});
const qwen = (status: string) => ({
  ...{ type: "tool_result", uuid: "u", sessionId: "s", timestamp, toolCallResult: { status } },
  message: { role: "user", parts: [{ functionResponse: { id: "c", name: "run", response: { output: "" } } }] },
});

test.each([
  ["claude: by its field", claudeAdapter, claude("no", true, { toolDenialKind: "user-rejected" }), true],
  [
    "claude: by its words, before it had that field",
    claudeAdapter,
    claude("The user doesn't want to proceed with this tool use. The tool use was rejected", true),
    true,
  ],
  ["claude: a command that failed has run", claudeAdapter, claude("Exit code 1", true), false],
  [
    "claude: a command that prints such words has run",
    claudeAdapter,
    claude("The user doesn't want to proceed with this tool use", false),
    false,
  ],
  ["codex: a command", codexAdapter, codex("exec command rejected by user"), true],
  [
    "codex: a command, with its words",
    codexAdapter,
    codex('exec_command failed for `touch a`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }'),
    true,
  ],
  [
    "codex: a command that prints such words has run",
    codexAdapter,
    codex("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nexec command rejected by user\n"),
    false,
  ],
  [
    "codex: one that ended with its turn may have run",
    codexAdapter,
    codex("Wall time: 1.8 seconds\naborted by user"),
    undefined,
  ],
  [
    "gemini: by its status and reason",
    geminiAdapter,
    gemini("cancelled", "[Operation Cancelled] Reason: User denied execution."),
    true,
  ],
  [
    "gemini: one that was stopped may have run",
    geminiAdapter,
    gemini("cancelled", "Command was cancelled by user before it could complete."),
    undefined,
  ],
  ["gemini: one that failed has run", geminiAdapter, gemini("error", "User denied execution."), false],
  ["qwen: one that was cancelled may have run", qwenAdapter, qwen("cancelled"), undefined],
  ["qwen: one that failed has run", qwenAdapter, qwen("error"), false],
])("a transcript tells which calls were refused (%s)", (_, adapter, record, refused) => {
  const results: AgentEvent[] = [];
  const parser = adapter().parser("s", "events");
  parser.record(record, false, { ...nothing, event: (event) => void results.push(event) });
  const [result] = results.filter(({ type }) => type === "tool_result");
  expect(result?.data.id).toBe("c");
  expect(result?.data.refused).toBe(refused);
});
