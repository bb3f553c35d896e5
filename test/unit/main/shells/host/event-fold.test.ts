import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ShellEvent } from "../../../../../core/protocol/shell-host.ts";
import type { MarkMessage, TerminalMessage } from "../../../../../core/protocol/terminal-signals.ts";
import { EventFold } from "../../../../../main/shells/host/event-fold.ts";

/** Longer than the allowance of any shell. */
const FLOOD = 1000;

let sent: [string, ShellEvent][];
let hasRoom: boolean;
let fold: EventFold;
let offset: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  sent = [];
  hasRoom = true;
  offset = 0;
  fold = new EventFold({ send: (session, event) => sent.push([session, event]), hasRoom: () => hasRoom });
});
afterEach(() => {
  fold[Symbol.dispose]();
  vi.useRealTimers();
});

function say(signal: TerminalMessage | MarkMessage, id = 1, session = "s"): void {
  offset += 1;
  fold.push(session, { kind: "signal", id, signal: { ...signal, offset, end: offset + 1 } });
}

const bell = { kind: "bell" } as const;
const status = (fields: Record<string, string>) => ({ kind: "program-status", query: false, fields }) as const;
const signals = () => sent.flatMap(([, event]) => (event.kind === "signal" ? [event.signal] : []));
const kinds = () => signals().map(({ kind }) => kind);

/** Uses up what is sent as it comes. */
function exhaust(id = 1, session = "s"): void {
  for (let turn = 0; turn < FLOOD; turn += 1) say(bell, id, session);
  sent = [];
}

test("what a program prints that people read is sent at once and whole", () => {
  for (const title of ["one", "two", "three"]) say({ kind: "title", title });
  say(bell);
  say(bell);
  expect(kinds()).toEqual(["title", "title", "title", "bell", "bell"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("bells, titles, progress and folders without end are some hundred a second, and the last one counts", () => {
  for (let turn = 0; turn < FLOOD; turn += 1) {
    say(bell);
    say({ kind: "title", title: `title ${turn}` });
    fold.push("s", { kind: "title", id: 1, title: `title ${turn}` });
    say({ kind: "progress", state: 1, percent: turn });
    say({ kind: "cwd", host: "", cwd: `/tmp/${turn}` });
    fold.push("s", { kind: "cwd", id: 1, cwd: `/tmp/${turn}` });
  }
  expect(sent.length).toBeLessThanOrEqual(100);
  vi.advanceTimersByTime(1000);
  expect(sent.length).toBeLessThanOrEqual(200);
  expect(
    sent.slice(-6).map(([, event]) => (event.kind === "signal" ? { ...event.signal, offset: 0, end: 0 } : event)),
  ).toEqual([
    { kind: "bell", offset: 0, end: 0 },
    { kind: "title", title: `title ${FLOOD - 1}`, offset: 0, end: 0 },
    { kind: "title", id: 1, title: `title ${FLOOD - 1}` },
    { kind: "progress", state: 1, percent: FLOOD - 1, offset: 0, end: 0 },
    { kind: "cwd", host: "", cwd: `/tmp/${FLOOD - 1}`, offset: 0, end: 0 },
    { kind: "cwd", id: 1, cwd: `/tmp/${FLOOD - 1}` },
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

test("marks of commands are each sent at once, after what came before them", () => {
  exhaust();
  say({ kind: "title", title: "before" });
  say({ kind: "command-end", exitCode: 3, cwd: null });
  say({ kind: "title", title: "between" });
  say({ kind: "prompt", exitCode: 3 });
  say({ kind: "prompt-end", exitCode: 3 });
  say({ kind: "command-start" });
  expect(kinds()).toEqual(["bell", "title", "command-end", "title", "prompt", "prompt-end", "command-start"]);
});

test("the end of a shell comes after everything else of it", () => {
  exhaust();
  say({ kind: "title", title: "the last" });
  fold.push("s", { kind: "exited", id: 1, exitCode: 0, signal: null });
  expect(sent.map(([, event]) => event.kind)).toEqual(["signal", "signal", "exited"]);
  vi.advanceTimersByTime(1000);
  expect(sent).toHaveLength(3);
});

test("of notifications the last one is sent with the number of those left out", () => {
  exhaust();
  vi.advanceTimersByTime(60_000);
  sent = [];
  for (let turn = 1; turn <= FLOOD; turn += 1) say({ kind: "notification", title: null, body: `note ${turn}` });
  vi.advanceTimersByTime(1000);
  const told = signals().flatMap((one) => (one.kind === "notification" ? [one] : []));
  expect(told.at(-1)).toMatchObject({ body: `note ${FLOOD}` });
  expect(told.length + told.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0)).toBe(FLOOD);
});

test("of an agent's reports the last one of each state is sent, so that no change of its state is lost", () => {
  exhaust();
  for (let turn = 0; turn < FLOOD; turn += 1) {
    say(status({ app: "claude", state: "idle", progress: `${turn}` }));
    say(status({ app: "claude", state: "working", progress: `${turn}` }));
    say(status({ app: "claude", id: "part", state: "done", progress: `${turn}` }));
  }
  vi.advanceTimersByTime(1000);
  expect(signals().flatMap((one) => (one.kind === "program-status" ? [one.fields] : []))).toEqual([
    { app: "claude", state: "idle", progress: `${FLOOD - 1}` },
    { app: "claude", state: "working", progress: `${FLOOD - 1}` },
    { app: "claude", id: "part", state: "done", progress: `${FLOOD - 1}` },
  ]);
});

test("reports of invented parts are bounded, and the latest ones are sent", () => {
  exhaust();
  for (let turn = 0; turn < FLOOD; turn += 1) say(status({ app: "claude", id: `part-${turn}`, state: "working" }));
  vi.advanceTimersByTime(5000);
  const ids = signals().flatMap((one) => (one.kind === "program-status" ? [one.fields.id] : []));
  expect(ids).toHaveLength(64);
  expect(ids.at(-1)).toBe(`part-${FLOOD - 1}`);
});

test("each query is sent, in order, until so many wait that no program can be waiting for the answers", () => {
  exhaust();
  for (let turn = 0; turn < FLOOD; turn += 1) say({ kind: "query", query: "cursor" });
  vi.advanceTimersByTime(5000);
  const offsets = signals().flatMap((one) => (one.kind === "query" ? [one.offset] : []));
  expect(offsets).toHaveLength(64);
  expect(offsets).toEqual(offsets.toSorted((one, other) => one - other));
  sent = [];
  say({ kind: "query", query: "device" });
  expect(kinds()).toEqual(["query"]);
});

test("a loud shell costs a quiet one nothing, of its own session or another", () => {
  exhaust(1);
  say({ kind: "title", title: "quiet" }, 2);
  say({ kind: "title", title: "other" }, 1, "t");
  expect(sent.map(([session, { id }]) => [session, id])).toEqual([
    ["s", 2],
    ["t", 1],
  ]);
});

test("of many loud shells each has its turn, and all together are bounded", () => {
  for (let id = 1; id <= 200; id += 1) say(bell, id);
  const turns = new Map<number, number>();
  for (let round = 0; round < 20; round += 1) {
    for (let bells = 0; bells < 20; bells += 1) for (let id = 1; id <= 200; id += 1) say(bell, id);
    vi.advanceTimersByTime(50);
  }
  expect(sent.length).toBeLessThanOrEqual(2500);
  for (const [, { id }] of sent) turns.set(id, (turns.get(id) ?? 0) + 1);
  expect(turns.size).toBe(200);
  expect(Math.min(...turns.values())).toBeGreaterThanOrEqual(5);
});

test("while the relay does not read, everything but marks waits and folds", () => {
  hasRoom = false;
  for (let turn = 0; turn < FLOOD; turn += 1) say({ kind: "title", title: `title ${turn}` });
  vi.advanceTimersByTime(60_000);
  expect(sent).toEqual([]);
  say({ kind: "command-end", exitCode: 0, cwd: null });
  expect(kinds()).toEqual(["title", "command-end"]);
  say({ kind: "title", title: "later" });
  hasRoom = true;
  vi.advanceTimersByTime(100);
  expect(signals().at(-1)).toMatchObject({ title: "later" });
});
