import { expect, test } from "vitest";
import { parseOsc } from "../../../../../main/shells/marks/terminal-signal.ts";

test.each([
  ["0;◐ working", { kind: "title", title: "◐ working" }],
  ["2;", { kind: "title", title: "" }],
  // Tags spell text that only a program reads; half a character is none.
  ["2;li\u{e0041}\u{e0042}\u00adve\ud83d", { kind: "title", title: "live" }],
  [`2;${"x".repeat(199)}\u{1f600}`, { kind: "title", title: "x".repeat(199) }],
  ["2;\u202e\ue0b0 li\u200bve\u009b\ufeff", { kind: "title", title: "\ue0b0 live" }],
  ["7;file://host/tmp/a%20b%C3%BC", { kind: "cwd", host: "host", cwd: "/tmp/a bü" }],
  ["7;/tmp", undefined],
  ["7;file:///a%00b", undefined],
  ["9;Approval requested: rm", { kind: "notification", title: null, body: "Approval requested: rm" }],
  ["9;4;3", { kind: "progress", state: 3, percent: null }],
  ["9;4;1;250", { kind: "progress", state: 1, percent: 100 }],
  ["9;9;C:\\", undefined],
  ["777;notify;Gemini;needs; you", { kind: "notification", title: "Gemini", body: "needs; you" }],
  ["777;other;x", undefined],
  ["99;;Hello; you", { kind: "notification", title: null, body: "Hello; you" }],
  ["99;i=1:p=body:d=1;Done", { kind: "notification", title: null, body: "Done" }],
  ["99;e=1;SGkK", { kind: "notification", title: null, body: "Hi" }],
  ["99;i=1:d=0;Part", undefined],
  ["99;p=close;", undefined],
  ["99;p=icon;x", undefined],
  ["99;", undefined],
  ["7501;?", { kind: "program-status", query: true, fields: {} }],
  [
    "7501;state=blocked:app=claude-code:kind=permission:msg=YQ==",
    {
      kind: "program-status",
      query: false,
      fields: { state: "blocked", app: "claude-code", kind: "permission", msg: "YQ==" },
    },
  ],
  [
    '9999;{"state":"working","agentType":"claude","prompt":"a;b:c"}',
    { kind: "program-status", query: false, fields: { state: "working", app: "claude" } },
  ],
  [
    '9999;{"state":"blocked"}',
    { kind: "program-status", query: false, fields: { state: "blocked", kind: "permission" } },
  ],
  [
    '9999;{"state":"waiting","agentType":"x:state=done"}',
    { kind: "program-status", query: false, fields: { state: "blocked", kind: "question" } },
  ],
  ['9999;{"state":"done","agentType":7}', { kind: "program-status", query: false, fields: { state: "done" } }],
  ['9999;{"state":"asleep"}', undefined],
  ['9999;{"state":', undefined],
  ["9999;abort", undefined],
  ["133;A", undefined],
  ["133;D;0;cwd=/tmp", undefined],
  ["52;c;aGk=", undefined],
  ["", undefined],
])("%j", (payload, expected) => {
  expect(parseOsc(payload)).toEqual(expected);
});

test("a status with a prototype's key stays plain data", () => {
  const status = parseOsc("7501;__proto__=x:state=idle");
  expect(status?.kind === "program-status" && Object.keys(status.fields)).toEqual(["__proto__", "state"]);
  expect(({} as Record<string, unknown>).x).toBeUndefined();
});
