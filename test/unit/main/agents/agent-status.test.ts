import { expect, test } from "vitest";
import type { AgentStatus } from "../../../../core/protocol/agent-records.ts";
import { allAdapters } from "../../../../main/agents/adapters/all.ts";
import {
  decideStatus,
  type StatusSignal,
  type StatusSignals,
  statusSignal,
  withSignal,
} from "../../../../main/agents/agent-status.ts";

test.each([
  ["claude", "✳ Claude Code", undefined],
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
  ["codex", ["my-proj"], undefined],
  ["codex", ["⠋ my-proj", "my-proj"], "idle"],
  ["codex", ["⠋ my-proj", "[ ! ] Action Required | my-proj", "my-proj"], "idle"],
  ["codex", ["⠋ my-proj", "my-proj", "⠙ my-proj"], "working"],
  ["claude", ["✳ Claude Code", "✳ Fix the parser"], undefined],
  ["claude", ["✳ Claude Code", "⠂ Fix the parser", "✳ Fix the parser"], "idle"],
] as const)("%s's titles %j, one after another, say %s", (kind, titles, status) => {
  const adapter = allAdapters().find((one) => one.kind === kind);
  const said = titles.reduce<AgentStatus | undefined>(
    (before, title) => adapter?.titleStatus(title, before) ?? before,
    undefined,
  );
  expect(said).toBe(status);
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
  ["state=error:app=codex", "error", "error"],
  [
    `state=error:app=claude-code:msg=${base64("API Error: 529 overloaded")}`,
    "error",
    "error: API Error: 529 overloaded",
  ],
  [`state=error:msg=${base64("two\nlines \u001b[31mred\u202e\u200b")}`, "error", "error: two lines  [31mred"],
  ["state=error:msg=not*base64", "error", "error"],
  [`state=error:msg=${Buffer.from([0xff, 0xfe]).toString("base64")}`, "error", "error"],
  ["junk:=x:Bad=1:state=idle:state=working", "working", "working"],
  ["state=blocked:kind=sorcery", "waiting", "blocked"],
  ["state=working:app=claude-code:id=7", undefined, undefined],
  ["state=dancing", undefined, undefined],
  ["?", undefined, undefined],
  ["", undefined, undefined],
])("program status %j", (payload, status, detail) => {
  const signal = statusSignal({ kind: "program-status", payload }, 5, () => undefined);
  expect(signal && [signal.status, signal.detail]).toEqual(status && [status, detail]);
});

test("of a message over 2048 bytes the beginning is kept, without half a character", () => {
  const payload = `state=error:msg=${base64(`${"x".repeat(2047)}é and more`)}`;
  expect(statusSignal({ kind: "program-status", payload }, 5, () => undefined)?.message).toBe("x".repeat(2047));
});

test("a report over 4096 bytes is ignored", () => {
  const payload = `state=error:x=${"1".repeat(4096)}`;
  expect(statusSignal({ kind: "program-status", payload }, 5, () => undefined)).toBeUndefined();
});

test("a report under another program's name says nothing of the agent; one without a name does", () => {
  const heard = (payload: string) =>
    statusSignal({ kind: "program-status", payload }, 5, () => undefined, ["claude-code", "claude"])?.status;
  expect(heard("state=blocked:kind=permission:app=cargo")).toBeUndefined();
  expect(heard("state=error:app=claude-code")).toBe("error");
  expect(heard("state=working")).toBe("working");
  expect(heard("state=working:app=not a name")).toBe("working");
});

test("a title that idles does not hide that the last turn failed; the next turn does", () => {
  const failed = { ...said("transcript", "error", 9), message: "overloaded" };
  expect(decideStatus(signals(said("title", "idle", 10), failed), 1)).toBe(failed);
  expect(decideStatus(signals(said("title", "working", 10), failed), 1).status).toBe("working");
  expect(decideStatus(signals(said("program-status", "idle", 10), failed), 1).status).toBe("idle");
});

test("an error that is reported without a word is explained by the transcript", () => {
  const why = { ...said("transcript", "error", 9), message: "overloaded" };
  const decided = decideStatus(signals(said("program-status", "error", 10), why), 1);
  expect(decided).toMatchObject({ source: "program-status", at: 10, message: "overloaded" });
});

test("another error after an error is told as of its own time", () => {
  const error = (message: string, at: number) => ({ ...said("program-status", "error", at), message });
  expect(decideStatus(signals(error("one", 5), error("one", 6)), 1).at).toBe(5);
  expect(decideStatus(signals(error("one", 5), error("two", 6)), 1)).toMatchObject({ at: 6, message: "two" });
});

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

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
  [
    "a bell at the end of its turn",
    [said("transcript", "idle", 5), said("bell", "waiting", 6), said("notification", "waiting", 7)],
    "transcript",
    "idle",
  ],
  ["a bell where no transcript is", [said("bell", "waiting", 6)], "bell", "waiting"],
  ["a bell before it", [said("transcript", "working", 7), said("bell", "waiting", 6)], "transcript", "working"],
  ["the turn's end by a hook", [said("transcript", "working", 5), said("hook", "idle", 6)], "hook", "idle"],
  [
    "the end of the second turn by a hook",
    [said("hook", "idle", 4), said("transcript", "working", 5), said("hook", "idle", 6)],
    "hook",
    "idle",
  ],
  ["the next turn", [said("hook", "idle", 6), said("transcript", "working", 7)], "transcript", "working"],
  ["the end of a turn that failed", [said("transcript", "error", 5), said("hook", "idle", 6)], "transcript", "error"],
  ["a bell where the title is known", [said("title", "working", 5), said("bell", "waiting", 6)], "title", "working"],
] as const)("status with %s", (_, all, source, status) => {
  expect(decideStatus(signals(...all), 1)).toMatchObject({ source, status });
});

// A title's time is when it was heard, and a transcript's is the record's own.
test.each(["program-status", "title", "agent-file"] as const)(
  "a later end of the turn in the transcript counts before an older %s that works",
  (source) => {
    const works = said(source, "working", 5000);
    const ended = { ...said("transcript", "idle", 9000), detail: "turn aborted" };
    expect(decideStatus(signals(works, ended), 1)).toBe(ended);
    expect(decideStatus(signals(works, { ...ended, detail: "answer ended" }), 1)).toBe(works);
    expect(decideStatus(signals(works, { ...ended, at: 4000 }), 1)).toBe(works);
    expect(decideStatus(signals(works, said("transcript", "working", 9100)), 1)).toBe(works);
  },
);

test("a title that is set again after the end of a turn says that the next one runs, unless it was on its way", () => {
  const ended = { ...said("transcript", "idle", 9000), detail: "turn ended" };
  const state = (...repeated: readonly number[]) =>
    decideStatus(signals(...[5000, ...repeated].map((at) => said("title", "working", at)), ended), 1).status;
  expect(state(8000, 9100)).toBe("idle");
  expect(state(8000, 9100, 10_000)).toBe("working");
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
