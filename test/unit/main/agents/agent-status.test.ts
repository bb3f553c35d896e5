import { expect, test } from "vitest";
import { allAdapters } from "../../../../main/agents/adapters/all.ts";
import {
  decideStatus,
  type StatusSignal,
  type StatusSignals,
  statusSignal,
  withSignal,
} from "../../../../main/agents/agent-status.ts";

test.each([
  ["claude", "✳ Claude Code", "idle"],
  ["claude", "◐ Fix the parser", "working"],
  ["claude", "⠂ Fix the parser", "working"],
  ["claude", "bash", undefined],
  ["codex", "⠋ my-proj", "working"],
  ["codex", "[ ! ] Action Required | my-proj", "waiting"],
  ["codex", "[ . ] Action Required | my-proj", "waiting"],
  ["codex", "my-proj", undefined],
  ["gemini", "◇  Ready (my-proj)", "idle"],
  ["gemini", "✦  Working… (my-proj)", "working"],
  ["gemini", "✋  Action Required (my-proj)      ", "waiting"],
])("%s's title %j says %s", (kind, title, status) => {
  expect(
    allAdapters()
      .find((one) => one.kind === kind)
      ?.titleStatus(title),
  ).toBe(status);
});

test.each([
  ["state=working:app=codex", "working", "working"],
  [
    "state=blocked:app=claude-code:kind=permission:msg=YXBwcm92ZSBCYXNo",
    "waiting",
    "blocked: permission: approve Bash",
  ],
  ["state=done:app=claude-code", "idle", "done"],
  ["state=clear:app=codex", "idle", "clear"],
  ["state=working:app=claude-code:id=7", undefined, undefined],
  ["state=dancing", undefined, undefined],
  ["?", undefined, undefined],
  ["", undefined, undefined],
])("program status %j", (payload, status, detail) => {
  const signal = statusSignal({ kind: "program-status", payload }, 5, () => undefined);
  expect(signal && [signal.status, signal.detail]).toEqual(status && [status, detail]);
});

function signals(...all: readonly StatusSignal[]): StatusSignals {
  return all.reduce(withSignal, {});
}

function said(source: StatusSignal["source"], status: StatusSignal["status"], at: number): StatusSignal {
  return { source, status, detail: `${source} ${status}`, at };
}

test.each([
  ["nothing", [], "process", "idle"],
  ["only a transcript", [said("transcript", "working", 5)], "transcript", "working"],
  ["a title over a newer transcript", [said("title", "working", 5), said("transcript", "idle", 9)], "title", "working"],
  [
    "the program's word over all",
    [said("title", "idle", 9), said("program-status", "waiting", 5)],
    "program-status",
    "waiting",
  ],
  [
    "a waiting file over an idle title",
    [said("agent-file", "waiting", 5), said("title", "idle", 9)],
    "agent-file",
    "waiting",
  ],
  [
    "a title that works again over a waiting file",
    [said("agent-file", "waiting", 5), said("title", "working", 9)],
    "title",
    "working",
  ],
  [
    "a bell after the transcript's last word",
    [said("transcript", "working", 5), said("bell", "waiting", 6)],
    "bell",
    "waiting",
  ],
  ["a bell before it", [said("transcript", "working", 7), said("bell", "waiting", 6)], "transcript", "working"],
  ["a bell where the title is known", [said("title", "working", 5), said("bell", "waiting", 6)], "title", "working"],
] as const)("status with %s", (_, all, source, status) => {
  expect(decideStatus(signals(...all), 1)).toMatchObject({ source, status });
});

test("a spinner that says the same for a minute keeps the time at which it began", () => {
  const frames = ["⠋", "⠙", "⠹"].map((frame, index) => ({ ...said("title", "working", 100 + index), detail: frame }));
  expect(decideStatus(signals(...frames), 1).at).toBe(100);
});

test("a notification asks for something, or tells the end of a turn", () => {
  expect(statusSignal({ kind: "notification", text: "Approval requested: rm -rf x" }, 5, () => undefined)?.status).toBe(
    "waiting",
  );
  expect(statusSignal({ kind: "notification", text: "Claude needs your permission" }, 5, () => undefined)?.status).toBe(
    "waiting",
  );
  expect(statusSignal({ kind: "notification", text: "Codex finished the turn." }, 5, () => undefined)?.status).toBe(
    "idle",
  );
});
