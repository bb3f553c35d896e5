import { expect, test } from "vitest";
import type { Question } from "../../../../core/protocol/questions.ts";
import type { ClientRecord } from "../../../../core/protocol/records.ts";
import type { PanelRemote, PanelSession } from "../../../../preload/channels.ts";
import { overBudget, peopleIn, questionsIn, waitingIn } from "../../../../renderer/tray/panel-summary.ts";

const client = (id: number, name: string) => ({ id, name }) as ClientRecord;
const app = client(1, "root");
const session = (...others: ClientRecord[]) => ({ self: 1, clients: [app, ...others] });

test("the user of the app is one person in any number of sessions", () => {
  expect(peopleIn([])).toBe(0);
  expect(peopleIn([session()])).toBe(1);
  expect(peopleIn(Array.from({ length: 40 }, () => session()))).toBe(1);
});

test("a guest in two sessions counts once, and two guests of one name in a session count twice", () => {
  const ann = client(2, "Ann");
  const guests = [client(3, "guest on Chrome on Linux"), client(4, "guest on Chrome on Linux")];
  expect(peopleIn([session(ann), session(client(9, "Ann"))])).toBe(2);
  expect(peopleIn([session(ann, ...guests), session()])).toBe(4);
});

test("a session that the app has not joined yet has only its other people", () => {
  expect(peopleIn([{ self: undefined, clients: [client(5, "Lin")] }])).toBe(1);
});

test.each([
  [69.64, 11, 58.64],
  [11, 11, undefined],
  [5, null, undefined],
])("$%d of a budget of %j is over by %j, which waits for the user", (costToday, day, over) => {
  const content = { costToday, budgets: { day, session: null }, sessions: [] };
  if (over === undefined) expect(overBudget(content)).toBeUndefined();
  else expect(overBudget(content)).toBeCloseTo(over);
  expect(waitingIn(content)).toBe(over === undefined ? 0 : 1);
});

test("the questions of machines that can be asked are counted, each once, and those whose proof is awaited are not", () => {
  const question = (id: number, receipt: object | null = null) =>
    ({ session: "r", id, receipt }) as unknown as Question;
  const remote = (machine: string, state: string, ...questions: Question[]) =>
    ({
      machine,
      state,
      key: state === "reachable" ? "valid" : "unknown",
      questions: questions.map((one) => ({ session: "nightly", question: one })),
    }) as unknown as PanelRemote;
  const own = { sessions: [{ questions: [question(9)] }] } as unknown as { sessions: PanelSession[] };
  const box = [question(1), question(2, { state: "pending" })];
  expect(questionsIn(own)).toBe(1);
  expect(questionsIn(own, [remote("box", "reachable", ...box), remote("same", "reachable", ...box)])).toBe(2);
  expect(questionsIn(own, [remote("pi", "away", question(3))])).toBe(1);
});
