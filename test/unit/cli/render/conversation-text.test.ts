import { expect, test } from "vitest";
import { conversationText, messageText } from "../../../../cli/render/conversation-text.ts";
import type { ConversationMessage } from "../../../../core/protocol/conversations.ts";

const style = { json: false, isTTY: true, colour: false, columns: 80 };
const said: ConversationMessage = {
  id: "m",
  cursor: "1.2.m",
  role: "assistant",
  kind: "text",
  at: "2026-11-21T02:55:59.000Z",
  text: "Done.",
  turn: 1,
};
const call = (tool: Partial<ConversationMessage["tool"]>): ConversationMessage => ({
  ...said,
  role: "tool",
  kind: "tool",
  text: "",
  tool: { id: "t", name: "Bash", input: { command: "make test" }, ...tool },
});
const linesOf = (message: ConversationMessage) => messageText(message, style).split("\n").slice(1, -1);

test("a message has a line that says whose it is, and its text", () => {
  const text = messageText({ ...said, model: "claude-opus-4-6" }, style);
  expect(text).toMatch(/^assistant \(claude-opus-4-6\) {2}2026-11-2\d \d\d:\d\d:\d\d\nDone\.\n$/);
  expect(messageText({ ...said, role: "subagent", subagent: "a1" }, style)).toMatch(/^subagent \(sub-agent a1\) /);
  expect(messageText({ ...said, kind: "thinking" }, style)).toMatch(/^thinking {2}/);
});

test("a tool call leads with its command, and tells how it ended", () => {
  expect(linesOf(call({}))).toEqual(["make test", "not ended"]);
  expect(linesOf(call({ result: "ok", exitCode: 0, durationMs: 1250 }))).toEqual([
    "make test",
    "  ok",
    "exit code 0, 1.3 s",
  ]);
  expect(linesOf(call({ result: "no", isError: true, refused: true }))).toEqual(["make test", "  no", "refused"]);
  expect(linesOf(call({ result: "", isError: true }))).toEqual(["make test", "failed"]);
  expect(linesOf(call({ input: { file_path: "/a" }, result: "" }))).toEqual(["/a"]);
  expect(linesOf(call({ input: { depth: 2 }, result: "" }))).toEqual(['{"depth":2}']);
  expect(linesOf(call({ input: "raw", result: "" }))).toEqual(["raw"]);
});

test("a long result is cut, and says by how much", () => {
  const result = Array.from({ length: 12 }, (_, line) => `line ${line}`).join("\n");
  expect(linesOf(call({ result })).slice(-2)).toEqual(["  line 9", "  2 more lines: --json has all"]);
  expect(linesOf(call({ result: result.split("\n").slice(1).join("\n") })).at(-1)).toBe(
    "  1 more line: --json has all",
  );
});

test("nothing that was said reaches the terminal as a control", () => {
  const evil = "\u001b]0;x\u0007\u202e\ttab";
  const written = [
    messageText({ ...said, text: evil, model: evil, incomplete: evil, images: [{ mediaType: evil }] }, style),
    messageText(call({ name: evil, input: evil, result: evil }), style),
  ].join("");
  expect(written).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_C}/u);
  expect(written).toContain("    tab");
});

test("a page says what is beside it, and what is missing", () => {
  const page = {
    agentType: "claude",
    sessionId: "s",
    messages: [said],
    before: "1.1.m",
    after: "1.2.m",
    hasMore: true,
  };
  const text = conversationText({ ...page, incomplete: "Thinking is encrypted." }, style);
  expect(text.split("\n").slice(-5)).toEqual([
    "",
    "Earlier: --before 1.1.m",
    "Later: --after 1.2.m",
    "Thinking is encrypted.",
    "",
  ]);
  expect(conversationText({ ...page, messages: [], before: null, after: null, hasMore: false }, style)).toBe(
    "Nothing was said.\n",
  );
  const longer = { ...said, longer: { text: 2_000_000 } };
  expect(conversationText({ ...page, messages: [longer] }, style)).toContain("service conversations text ID 1.2.m");
});
