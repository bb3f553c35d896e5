import { expect, test } from "vitest";
import type { MachineOverview } from "../../../../core/protocol/machines.ts";
import type { Question } from "../../../../core/protocol/questions.ts";
import { waitingFor } from "../../../../core/protocol/waiting.ts";
import type { PanelSession } from "../../../../preload/channels.ts";
import { requestItems } from "../../../../renderer/tray/now/wait-items.ts";
import { overBudget, waitingCount } from "../../../../renderer/tray/panel-summary.ts";

test.each([
  [69.64, 11, 58.64],
  [11, 11, undefined],
  [5, null, undefined],
])("$%d of a budget of %j is over by %j, which waits for the user", (costToday, day, over) => {
  const content = { costToday, budgets: { day, session: null }, sessions: [], logins: [] };
  if (over === undefined) expect(overBudget(content)).toBeUndefined();
  else expect(overBudget(content)).toBeCloseTo(over);
  expect(waitingCount(content)).toBe(over === undefined ? 0 : 1);
});

const question = (id: number, more: object = {}) =>
  ({ session: "r", id, shellId: 4, agentType: "claude", state: "open", receipt: null, ...more }) as unknown as Question;

/** A session of the app with all that can wait in one. */
const busy = {
  id: "r",
  self: 1,
  clients: [
    { id: 1, name: "root", role: "admin" },
    { id: 3, name: "Lin", role: "writer" },
  ],
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

test("the panel counts what the session's window and the tray count, and nothing that is answered", () => {
  const [self] = busy.clients;
  expect(waitingCount({ ...idle, sessions: [busy] })).toBe(6);
  expect(waitingFor(busy, self).length).toBe(6);
  // Each has its card; questions have theirs in the inbox.
  expect(requestItems({ ...idle, sessions: [busy] }).length).toBe(5);
});

test("the open questions of machines that can be asked are counted, each once", () => {
  const remote = (machine: string, state: string, ...questions: Question[]) =>
    ({
      machine,
      state,
      key: state === "reachable" ? "valid" : "unknown",
      questions: questions.map((one) => ({ session: "nightly", question: one })),
    }) as unknown as MachineOverview;
  const own = { ...idle, sessions: [busy] };
  const box = [question(1), question(2, { state: "answered", receipt: { state: "unconfirmed" } }), question(9)];
  expect(waitingCount(own, [remote("box", "reachable", ...box), remote("same", "reachable", ...box)])).toBe(7);
  expect(waitingCount(own, [remote("pi", "away", question(3))])).toBe(6);
});
