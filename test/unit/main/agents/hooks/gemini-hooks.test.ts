import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readGeminiHook } from "../../../../../main/agents/hooks/gemini-hooks.ts";

const common = { session_id: "a-1", cwd: "/project", transcript_path: "/t", timestamp: "2026-01-01T00:00:00Z" };
const read = (hook_event_name: string, more: object = {}) => readGeminiHook({ ...common, hook_event_name, ...more });

function asked(details: object) {
  const report = read("Notification", { notification_type: "ToolPermission", message: "", details });
  if (report?.kind !== "asks") throw new Error("no question");
  return report.question;
}

describe("a permission that Gemini CLI asks for", () => {
  test("shows the command, and is answered on the screen", () => {
    const question = asked({
      type: "exec",
      title: "Confirm Shell Command",
      command: "rm -rf build",
      rootCommand: "rm",
    });
    expect(question).toMatchObject({
      agentSessionId: "a-1",
      kind: "permission",
      title: "Run: rm -rf build",
      detail: { command: "rm -rf build" },
      risk: { level: "high", reasons: ["deletes files"] },
      takesReply: false,
      onScreen: true,
    });
    expect(question.reply({ option: "1", text: null }, "ann")).toEqual({ output: {}, allows: false });
  });

  test("shows the file with its change, and one outside of the folder as such", () => {
    const question = asked({ type: "edit", title: "Confirm Write", filePath: "/etc/hosts", fileDiff: "+x" });
    expect(question).toMatchObject({
      title: "Edit: /etc/hosts",
      detail: { files: ["/etc/hosts"], diff: "+x" },
      risk: { level: "high" },
    });
  });

  test("shows the addresses that it fetches", () => {
    const question = asked({
      type: "info",
      title: "Confirm Web Fetch",
      prompt: "sum up",
      urls: ["https://example.org"],
    });
    expect(question.title).toBe("Fetch: https://example.org");
    expect(question.risk.reasons).toContain("uses the network");
    expect(question.text).toContain("https://example.org");
  });

  test("has a high risk where it is not known what it does", () => {
    const tool = { type: "mcp", title: "Confirm MCP Tool Execution", serverName: "files", toolName: "wipe" };
    expect(asked(tool)).toMatchObject({ title: "Use: files wipe", risk: { level: "high" } });
    expect(asked({ type: "inventedLater" }).risk.level).toBe("high");
    expect(asked({ type: "constructor" }).risk.level).toBe("high");
  });

  test("shows what it does not know, and what has another form than it knows", () => {
    const tool = { type: "mcp", title: "Confirm", serverName: "files", toolName: "wipe", toolArgs: { path: "/" } };
    expect(asked(tool).detail.input).toContain('"toolArgs": {"path":"/"}');
    const odd = asked({ type: "exec", title: "Confirm", command: ["rm", "-rf"], rootCommand: "rm" });
    expect(odd).toMatchObject({ detail: { input: expect.stringContaining('["rm","-rf"]') }, risk: { level: "high" } });
    expect(asked({ type: "exec", command: "ls", rootCommand: "ls" }).detail).toEqual({ command: "ls" });
  });
});

test("a tool's run belongs to the question for its command or file", () => {
  const ran = (tool_input: object) => read("AfterTool", { tool_name: "x", tool_input, tool_response: {} });
  expect(ran({ command: "make", description: "builds" })).toMatchObject({
    kind: "ran",
    call: asked({ type: "exec", command: "make" }).call,
  });
  expect(ran({ file_path: "/a", content: "" })).toMatchObject({ call: asked({ type: "edit", filePath: "/a" }).call });
  expect(ran({ url: "https://example.org" })).toBeUndefined();
  expect(ran({ file_path: "/b" })).not.toMatchObject({ call: asked({ type: "edit", filePath: "/a" }).call });
});

test("a prompt, the end of a turn and of a session settle what was asked before", () => {
  expect(read("BeforeAgent")).toMatchObject({ kind: "turn" });
  expect(read("AfterAgent")).toMatchObject({ kind: "turn" });
  expect(read("SessionEnd")).toMatchObject({ kind: "ended", agentSessionId: "a-1" });
  expect(read("Notification", { notification_type: "other" })).toBeUndefined();
  expect(read("BeforeModel")).toBeUndefined();
});

test("whatever it holds, an event is read or left", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (details, tool_input) => {
      expect(() => read("Notification", { notification_type: "ToolPermission", details })).not.toThrow();
      expect(() => read("AfterTool", { tool_input })).not.toThrow();
      expect(() => readGeminiHook(details)).not.toThrow();
    }),
  );
});
