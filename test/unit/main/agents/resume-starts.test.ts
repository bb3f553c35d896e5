import { afterEach, expect, test, vi } from "vitest";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import { ResumeStarts } from "../../../../main/agents/resume-starts.ts";

const own = SessionId.parse("session-1");
const another = SessionId.parse("session-2");
const name = { agentType: "codex", agentSessionId: "a-1" };
const shell = (id: number) => ShellId.parse(id);

const noRuns = { of: () => undefined, hasEnded: () => false };

function sessionOf(id: SessionId) {
  const running = new Set([1, 2, 3]);
  return { id, running, shells: { find: (wanted: number) => ({ running: running.has(wanted) }) } };
}

afterEach(() => {
  vi.useRealTimers();
});

test("of two resumes of a conversation at once one is refused, also in another session, until the first has failed", async () => {
  const starts = new ResumeStarts(noRuns);
  let fail: (why: Error) => void = () => undefined;
  const first = starts.start(name, sessionOf(own), () => {
    return new Promise((_resolve, reject) => {
      fail = reject;
    });
  });
  const create = vi.fn(async () => shell(2));
  const again = () => starts.start({ agentSessionId: "a-1" }, sessionOf(another), create);
  await expect(again()).rejects.toMatchObject({ code: "invalid_request", message: "It is resumed already." });
  expect(create).not.toHaveBeenCalled();
  fail(new Error("no shell"));
  await expect(first).rejects.toThrow("no shell");
  expect(await again()).toBe(2);
  expect(starts.problem(name, own)).toBe("It is resumed in shell 2 of another session.");
});

test("one is refused with its shell until that has ended, or the agent had the time to show it", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const starts = new ResumeStarts(noRuns);
  const session = sessionOf(own);
  const start = (id: number) => starts.start(name, session, async () => shell(id));
  await start(1);
  await expect(start(2)).rejects.toThrow("It is resumed in shell 1.");
  expect(starts.problem({ ...name, agentType: "claude" }, own)).toBeUndefined();
  expect(starts.problem({ ...name, agentSessionId: "a-2" }, own)).toBeUndefined();
  session.running.delete(1);
  expect(await start(2)).toBe(2);
  await expect(start(3)).rejects.toThrow("It is resumed in shell 2.");
  vi.advanceTimersByTime(61_000);
  expect(await start(3)).toBe(3);
});

test("one that an agent works on is refused with the shell", async () => {
  const starts = new ResumeStarts({ ...noRuns, of: () => ({ session: own, shellId: shell(3) }) });
  const create = vi.fn(async () => shell(4));
  await expect(starts.start(name, sessionOf(own), create)).rejects.toThrow(/in shell 3: go there instead/);
  await expect(starts.start(name, sessionOf(another), create)).rejects.toThrow(/in shell 3 of another session: go/);
  expect(create).not.toHaveBeenCalled();
});

test("one whose agent has ended at once is resumed again, in its shell or another", async () => {
  const ended = new Set<number>();
  const starts = new ResumeStarts({ ...noRuns, hasEnded: (_name, session, id) => session === own && ended.has(id) });
  const start = (id: number) => starts.start(name, sessionOf(own), async () => shell(id));
  await start(1);
  await expect(start(2)).rejects.toThrow("It is resumed in shell 1.");
  ended.add(1);
  expect(await start(2)).toBe(2);
});

test("one whose shell comes late is noted from then on", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const starts = new ResumeStarts(noRuns);
  let come: (id: ShellId) => void = () => undefined;
  const first = starts.start(name, sessionOf(own), () => {
    return new Promise((resolve) => {
      come = resolve;
    });
  });
  vi.advanceTimersByTime(61_000);
  expect(starts.problem(name, own)).toBeUndefined();
  come(shell(1));
  await first;
  expect(starts.problem(name, own)).toBe("It is resumed in shell 1.");
});
