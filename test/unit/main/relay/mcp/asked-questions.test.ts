import { setImmediate as settle } from "node:timers/promises";
import { expect, test } from "vitest";
import { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import type { Question } from "../../../../../core/protocol/questions.ts";
import { AskedQuestions } from "../../../../../main/relay/mcp/asked-questions.ts";
import type { Subscriber } from "../../../../../main/relay/session/session-state.ts";
import { questionOf } from "../../../../support/asked-question.ts";

function lab() {
  const sessions = ["session-1", "session-2"].map((id) => ({
    ...{ id, owner: "ann" },
    state: { now: { questions: [] as Question[] }, subscribers: new Set<Subscriber>() },
  }));
  const listeners = new Set<() => void>();
  /** What the client shows, by the question's title. */
  const shown = new Map<string, () => void>();
  const titles: string[] = [];
  const asked = new AskedQuestions({
    server: {
      elicitInput: ({ message }, { signal } = {}) => {
        const title = message.slice(message.indexOf("asks: ") + 6).split("\n")[0] ?? "";
        titles.push(title);
        return new Promise((resolve, reject) => {
          shown.set(title, () => {
            shown.delete(title);
            resolve({ action: "decline" });
          });
          signal?.addEventListener("abort", () => {
            shown.delete(title);
            reject(new Error("taken back"));
          });
        });
      },
    },
    caller: {
      ...{ session: undefined, user: "ann" },
      call: async () => expect.unreachable("nothing is answered"),
      hidesSecrets: async () => false,
      may: async () => true,
    },
    ready: Promise.resolve(),
    sessions: {
      all: () => sessions,
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  });
  const tell = (index: number) => {
    const [question] = sessions[index]?.state.now.questions ?? [];
    for (const { send } of sessions[index]?.state.subscribers ?? []) {
      send({ type: "diff", diff: { kind: "question", question } } as Parameters<Subscriber["send"]>[0]);
    }
    return settle();
  };
  let next = 1;
  return {
    asked,
    shown,
    titles,
    /** Opens questions of a shell, which are called by its name and their number. */
    ask(index: number, shell: number, count: number) {
      const session = SessionId.parse(`session-${index + 1}`);
      for (let number = 1; number <= count; number++) {
        const parts = { id: next++, session, shellId: ShellId.parse(shell), title: `s${shell} ${number}` };
        sessions[index]?.state.now.questions.push(questionOf(parts));
      }
      return tell(index);
    },
    close(index: number) {
      sessions[index]?.state.now.questions.splice(0);
      return tell(index);
    },
    end() {
      sessions.shift();
      for (const listener of listeners) listener();
      return settle();
    },
  };
}

test("one shell takes a quarter of the places, so that the questions of others are asked too", async () => {
  const { asked, ask, shown } = lab();
  await ask(0, 1, 30);
  expect([...shown.keys()]).toEqual(["s1 1", "s1 2", "s1 3", "s1 4", "s1 5"]);
  await ask(1, 2, 1);
  expect(shown.size).toBe(6);
  expect(shown.has("s2 1")).toBe(true);
  asked[Symbol.dispose]();
});

test("a declined question is not asked again, and its place is the next one's, of whatever session", async () => {
  const { asked, ask, shown, titles } = lab();
  for (const shell of [1, 2, 3, 4]) await ask(0, shell, 5);
  await ask(1, 9, 1);
  expect(shown.size).toBe(20);
  expect(titles).not.toContain("s9 1");
  shown.get("s1 1")?.();
  await settle();
  expect(titles.at(-1)).toBe("s9 1");
  shown.get("s9 1")?.();
  await ask(0, 1, 0);
  expect(titles).toHaveLength(21);
  expect(new Set(titles).size).toBe(21);
  asked[Symbol.dispose]();
  await settle();
  expect(titles).toHaveLength(21);
  expect(shown.size).toBe(0);
});

test.each(["close", "end"] as const)("what is settled by %s is taken back, and another's is asked", async (by) => {
  const { asked, ask, shown, close, end } = lab();
  for (const shell of [1, 2, 3, 4]) await ask(0, shell, 5);
  await ask(1, 9, 1);
  await (by === "close" ? close(0) : end());
  expect([...shown.keys()]).toEqual(["s9 1"]);
  asked[Symbol.dispose]();
});
