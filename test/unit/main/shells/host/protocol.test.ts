import { expect, test } from "vitest";
import type { MarkMessage, TerminalSignal } from "../../../../../core/protocol/terminal-signals.ts";
import {
  HostMessage,
  parseHostMessage,
  parseRelayMessage,
  RelayMessage,
} from "../../../../../main/shells/host/protocol.ts";
import { parseOsc } from "../../../../../main/shells/marks/terminal-signal.ts";

/** One of each kind; a new kind of signal that the protocol does not know would cut the relay off from its shells. */
const payloads = [
  "0;title",
  "9;a notice",
  "777;notify;title;body",
  "9;4;1;50",
  "7501;?",
  "7501;state=waiting",
  "7;file:///home",
];

const marks: readonly MarkMessage[] = [
  { kind: "prompt", exitCode: 3 },
  { kind: "prompt-end", exitCode: null },
  { kind: "command-start" },
  { kind: "command-end", exitCode: 3, cwd: "/usr" },
];

test("every signal of a terminal crosses as it is", () => {
  const signals = [{ kind: "bell" as const }, ...marks, ...payloads.map(parseOsc)].flatMap(
    (message): TerminalSignal[] => (message === undefined ? [] : [{ ...message, offset: 5, end: 9 }]),
  );
  expect(signals).toHaveLength(payloads.length + marks.length + 1);
  for (const signal of signals) {
    const sent = { type: "event", session: "s", event: { kind: "signal", id: 1, signal } };
    expect(HostMessage.parse(JSON.parse(JSON.stringify(sent)))).toEqual(sent);
  }
});

test("an error code that this version does not know is an internal one", () => {
  const failed = { type: "failed", id: 1, message: "No." };
  expect(HostMessage.parse({ ...failed, code: "unknown_shell" })).toMatchObject({ code: "unknown_shell" });
  expect(HostMessage.parse({ ...failed, code: "of_the_future" })).toMatchObject({ code: "internal" });
});

test("a relay may not call what is no method, nor listen without a window", () => {
  const call = { type: "call", id: 1, session: "s", params: {} };
  expect(RelayMessage.safeParse({ ...call, method: "info" }).success).toBe(true);
  expect(RelayMessage.safeParse({ ...call, method: "constructor" }).success).toBe(false);
  const listen = { type: "listen", listener: 1, session: "s", shell: 1, from: 0 };
  expect(RelayMessage.safeParse({ ...listen, window: 1 }).success).toBe(true);
  expect(RelayMessage.safeParse({ ...listen, window: 0 }).success).toBe(false);
});

const write = { type: "write", id: 1, session: "s", shell: 2 };
const output = { type: "output", to: [3, 4], offset: 5 };
const notCounts = [-1, 1.5, "1", null, undefined, Number.NaN, 2 ** 53];

test.each([
  write,
  { ...write, expires: 5.5 },
  { ...write, expires: "5" },
  { ...write, expires: Number.POSITIVE_INFINITY },
  { ...write, expires: undefined },
  { ...write, session: 1 },
  ...notCounts.flatMap((wrong) => [
    { ...write, id: wrong },
    { ...write, shell: wrong },
  ]),
  { type: "write" },
  { type: "ping" },
  null,
  "write",
])("a write is recognised as its schema does it: %j", (head) => {
  const parsed = RelayMessage.safeParse(head);
  if (parsed.success) expect(parseRelayMessage(head)).toEqual(parsed.data);
  else expect(() => parseRelayMessage(head)).toThrow();
});

test.each([
  output,
  { ...output, to: [] },
  { ...output, to: 3 },
  { ...output, to: undefined },
  ...notCounts.flatMap((wrong) => [
    { ...output, offset: wrong },
    { ...output, to: [3, wrong] },
  ]),
  { type: "pong" },
  null,
])("output is recognised as its schema does it: %j", (head) => {
  const parsed = HostMessage.safeParse(head);
  if (parsed.success) expect(parseHostMessage(head)).toEqual(parsed.data);
  else expect(() => parseHostMessage(head)).toThrow();
});
