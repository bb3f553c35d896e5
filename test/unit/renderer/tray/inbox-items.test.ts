import { expect, test } from "vitest";
import type { Question } from "../../../../core/protocol/questions.ts";
import type { PanelSession } from "../../../../preload/channels.ts";
import { excerpt, inboxItems, itemsOf, machineItems, withKept } from "../../../../renderer/tray/inbox-items.ts";

const question = (session: string, id: number, second: number, state: Question["state"] = "open") =>
  ({ session, id, shellId: 1, state, askedAt: new Date(second * 1000).toISOString() }) as Question;
const session = (id: string, ...questions: Question[]) =>
  ({
    id,
    name: `session ${id}`,
    shells: [{ id: 1, name: "tests", running: true, ownerClientId: null }],
    questions,
  }) as unknown as PanelSession;

test("the questions of all sessions stand in the order in which they were asked", () => {
  const items = inboxItems({
    sessions: [session("a", question("a", 1, 30), question("a", 2, 50)), session("b", question("b", 1, 40))],
  });
  expect(items.map(({ key }) => key)).toEqual(["a/1", "b/1", "a/2"]);
  expect(items[1]).toMatchObject({ session: "session b", shell: "tests" });
});

test("a question of a shell that is gone names the shell by its number", () => {
  const [item] = inboxItems({ sessions: [{ ...session("a", question("a", 1, 0)), shells: [] }] });
  expect(item?.shell).toBe("shell 1");
});

test("the questions of other machines stand by machine, and of a machine that is reached in two ways apart", () => {
  const there = [question("r", 2, 9), question("r", 1, 5)].map((one) => ({ session: "nightly", question: one }));
  const items = machineItems([
    { via: "remote", machine: "box", questions: there },
    { via: "fleet", machine: "box", questions: there.slice(0, 1) },
  ]);
  expect(items.map(({ key }) => key)).toEqual(["remote box r/1", "remote box r/2", "fleet box r/2"]);
  expect(items[0]).toMatchObject({ session: "nightly", shell: "shell 1" });
  const own = inboxItems({ sessions: [session("a", question("a", 1, 7))] });
  const all = [...own, ...items];
  expect(itemsOf(all, { via: "fleet", machine: "box" }).map(({ key }) => key)).toEqual(["fleet box r/2"]);
  expect(itemsOf(all, undefined)).toEqual(own);
});

test("a kept question stays in its place, and of two states the closed one counts", () => {
  const live = inboxItems({ sessions: [session("a", question("a", 1, 10), question("a", 3, 30))] });
  const [gone, closed] = inboxItems({
    sessions: [session("a", question("a", 2, 20, "withdrawn"), question("a", 3, 30, "answered"))],
  });
  if (gone === undefined || closed === undefined) throw new Error("two items were expected");
  const merged = withKept(live, [gone, closed]);
  expect(merged.map(({ question: { id, state } }) => [id, state])).toEqual([
    [1, "open"],
    [2, "withdrawn"],
    [3, "answered"],
  ]);
  // The list is newer than what was kept while the answer was on its way.
  const [older] = live;
  const newer = inboxItems({ sessions: [session("a", question("a", 1, 10, "answered"))] });
  expect(withKept(newer, older === undefined ? [] : [older])[0]?.question.state).toBe("answered");
});

test("an excerpt says whether something is left out, by lines or by length", () => {
  const limits = { lines: 2, characters: 10 };
  expect(excerpt("a\nb", limits)).toEqual({ shown: "a\nb", isCut: false });
  expect(excerpt("a\nb\nc", limits)).toEqual({ shown: "a\nb", isCut: true });
  expect(excerpt("a\nb\nc", { ...limits, end: true })).toEqual({ shown: "b\nc", isCut: true });
  expect(excerpt("x".repeat(11), limits)).toEqual({ shown: "x".repeat(10), isCut: true });
});
