import { expect, test } from "vitest";
import type { Question } from "../../../../core/protocol/questions.ts";
import type { ClientRecord } from "../../../../core/protocol/records.ts";
import { waitingFor } from "../../../../core/protocol/waiting.ts";
import type { PanelRemote, PanelSession } from "../../../../preload/channels.ts";
import { overBudget, peopleIn, waitingIn } from "../../../../renderer/tray/panel-summary.ts";

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
  const content = { costToday, budgets: { day, session: null }, sessions: [], logins: [] };
  if (over === undefined) expect(overBudget(content)).toBeUndefined();
  else expect(overBudget(content)).toBeCloseTo(over);
  expect(waitingIn(content).costs).toBe(over === undefined ? 0 : 1);
});

const question = (id: number, more: object = {}) =>
  ({ session: "r", id, shellId: 4, agentType: "claude", state: "open", receipt: null, ...more }) as unknown as Question;

/** A session of the app with all that can wait in one. */
const busy = {
  id: "r",
  self: 1,
  clients: [{ id: 1, name: "root", role: "admin" }],
  agents: [
    { shellId: 4, agentType: "claude", state: "waiting" },
    { shellId: 5, agentType: "codex", state: "waiting" },
  ],
  questions: [
    question(9),
    question(10, { state: "answered", receipt: { state: "unconfirmed" } }),
    question(11, { state: "answered", receipt: { state: "pending" } }),
  ],
  adoptRequests: [
    { id: 1, shellId: 4, to: 1 },
    { id: 2, shellId: 5, to: 3 },
  ],
  roleRequests: [{ id: 3 }],
  restrictions: { restrictShells: false, requests: [{ id: 4, shellId: 4 }], allowed: [] },
  plugins: [{ id: "cost", asks: true }],
} as unknown as PanelSession;
const idle = { costToday: 0, budgets: { day: null, session: null }, logins: [] };

test("the panel counts what the session's window and the tray count, each in one part, and nothing that is answered", () => {
  const counts = waitingIn({ ...idle, sessions: [busy] });
  expect(counts).toEqual({ questions: 2, sessions: 2, people: 2, costs: 0 });
  const [self] = busy.clients;
  expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(waitingFor(busy, self).length);
});

test("the open questions of machines that can be asked are counted, each once", () => {
  const remote = (machine: string, state: string, ...questions: Question[]) =>
    ({
      machine,
      state,
      key: state === "reachable" ? "valid" : "unknown",
      questions: questions.map((one) => ({ session: "nightly", question: one })),
    }) as unknown as PanelRemote;
  const own = { ...idle, sessions: [busy] };
  const box = [question(1), question(2, { state: "answered", receipt: { state: "unconfirmed" } }), question(9)];
  expect(waitingIn(own, [remote("box", "reachable", ...box), remote("same", "reachable", ...box)]).questions).toBe(3);
  expect(waitingIn(own, [remote("pi", "away", question(3))]).questions).toBe(2);
});
