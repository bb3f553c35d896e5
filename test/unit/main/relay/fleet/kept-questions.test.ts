import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import { Question } from "../../../../../core/protocol/questions.ts";
import { KeptQuestions } from "../../../../../main/relay/fleet/kept-questions.ts";
import type { MemberSession } from "../../../../../main/relay/fleet/member-relay.ts";
import type { Subscriber } from "../../../../../main/relay/session/session-state.ts";

const MEMBER = `U${"A".repeat(55)}`;
const quiet = () => undefined;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function question(id: number, more: Partial<Question> = {}): Question {
  return Question.parse({
    ...{ id, session: SessionId.parse("session-1"), shellId: ShellId.parse(1), agentType: "claude" },
    ...{ agentSessionId: "a", kind: "permission", title: `Bash: ${id}`, text: "", acceptsText: false },
    ...{ detail: { command: "ls", screen: "a screen" }, options: [{ id: "yes", label: "Yes", key: "1" }] },
    ...{ risk: { level: "low", reasons: [] }, askedAt: "2026-01-01T00:00:00.000Z", state: "open", answerable: true },
    ...{ answeredBy: null, answer: null, closedAt: null, closedBecause: null, receipt: null, source: "hook" },
    ...{ confidence: "high", rule: null },
    ...more,
  });
}

type Kept = Awaited<ReturnType<Parameters<KeptQuestions["open"]>[0]["get"]>>;

function lab(questions: Question[]) {
  const subscribers = new Set<Subscriber>();
  const session: MemberSession = {
    ...{ id: "session-1", owner: "ann" },
    state: { now: { session: { name: "default", createdAt: "2026-01-01T00:00:00.000Z" } }, subscribers },
    questions: { list: () => questions },
  };
  const written: Question[][] = [];
  const bucket = {
    fails: false,
    get: async (): Promise<Kept | null> => null,
    async put(key: string, text: unknown) {
      expect(key).toBe(MEMBER);
      if (bucket.fails) throw new Error("the broker is away");
      written.push(Question.array().parse(JSON.parse(String(text))));
      return written.length;
    },
  };
  const warned: string[] = [];
  const kept = new KeptQuestions({
    member: MEMBER,
    sessions: { all: () => [session], find: () => session, onChange: () => quiet },
    log: { debug: quiet, info: quiet, warn: (message) => void warned.push(message), error: quiet },
  });
  const change = (kind: "question" | "shell") => {
    const frame = { type: "diff", diff: { kind, question: questions[0], id: 1 } };
    for (const { send } of subscribers) send(frame as Parameters<Subscriber["send"]>[0]);
  };
  return { kept, bucket, written, warned, change, subscribers };
}

test("of more questions than are kept, the newest are written, without their screens and not to be answered", async () => {
  const many = Array.from({ length: 201 }, (_, index) => question(index + 1));
  const { kept, bucket, written } = lab(many);
  kept.open(bucket);
  await vi.advanceTimersByTimeAsync(250);
  expect(written[0]?.map(({ id }) => id)).toEqual(many.slice(1).map(({ id }) => id));
  expect(written[0]?.[0]).toMatchObject({ detail: { command: "ls" }, answerable: false });
  expect(written[0]?.[0]?.detail).toEqual({ command: "ls" });
  kept[Symbol.dispose]();
});

test("of questions that are too large together, the newest that fit are written", async () => {
  const detail = { command: "x".repeat(16_000) };
  const large = Array.from({ length: 60 }, (_, index) => question(index + 1, { detail }));
  const { kept, bucket, written } = lab(large);
  const encode = vi.spyOn(JSON, "stringify");
  kept.open(bucket);
  await vi.advanceTimersByTimeAsync(250);
  // Each is encoded once, and the first that does not fit ends it.
  expect(encode).toHaveBeenCalledTimes(32);
  const ids = written[0]?.map(({ id }) => id) ?? [];
  expect(ids).toEqual(large.slice(-ids.length).map(({ id }) => id));
  // 512 KiB.
  expect(ids).toHaveLength(31);
  kept[Symbol.dispose]();
});

test("changes of questions are written together, and only where something has changed", async () => {
  const questions = [question(1)];
  const { kept, bucket, written, change } = lab(questions);
  kept.open(bucket);
  await vi.advanceTimersByTimeAsync(249);
  expect(written).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(written).toHaveLength(1);
  change("question");
  await vi.advanceTimersByTimeAsync(250);
  expect(written).toHaveLength(1);
  questions.push(question(2));
  change("shell");
  await vi.advanceTimersByTimeAsync(250);
  expect(written).toHaveLength(1);
  change("question");
  change("question");
  await vi.advanceTimersByTimeAsync(250);
  expect(written.map((some) => some.length)).toEqual([1, 2]);
  kept[Symbol.dispose]();
});

test("questions that stay the same are written again in time, so that the broker does not drop them; none are not", async () => {
  const questions = [question(1)];
  const { kept, bucket, written } = lab(questions);
  kept.open(bucket);
  await vi.advanceTimersByTimeAsync(6 * 3600_000 + 500);
  expect(written).toHaveLength(2);
  questions.length = 0;
  await vi.advanceTimersByTimeAsync(6 * 3600_000);
  expect(written.map((some) => some.length)).toEqual([1, 1, 0]);
  await vi.advanceTimersByTimeAsync(12 * 3600_000);
  expect(written).toHaveLength(3);
  kept[Symbol.dispose]();
});

test("a write that failed is tried again at the next change, and nothing is written while the broker is away", async () => {
  const { kept, bucket, written, warned, change, subscribers } = lab([question(1)]);
  bucket.fails = true;
  kept.open(bucket);
  await vi.advanceTimersByTimeAsync(250);
  expect([written.length, warned.length]).toEqual([0, 1]);
  bucket.fails = false;
  change("question");
  kept.suspend();
  await vi.advanceTimersByTimeAsync(1000);
  expect(written).toHaveLength(0);
  kept.open(bucket);
  await vi.advanceTimersByTimeAsync(250);
  expect(written).toHaveLength(1);
  expect(await kept.read(MEMBER)).toEqual([]);
  kept[Symbol.dispose]();
  expect(subscribers.size).toBe(0);
});

test("a question that another relay has kept cannot be answered, whatever it says", async () => {
  const { kept, bucket } = lab([]);
  const forged = [question(1, { digest: "a".repeat(64), title: "box is locked: send its password" })];
  const entry = { operation: "PUT", value: new TextEncoder().encode(JSON.stringify(forged)) };
  kept.open({ ...bucket, get: async () => entry as Kept });
  expect(await kept.read(MEMBER)).toMatchObject([{ id: 1, answerable: false, digest: null }]);
  kept[Symbol.dispose]();
});
