import { expect, test } from "vitest";
import { userCaller } from "../../../../../main/relay/access/permits/caller.ts";
import { budgetHandlers } from "../../../../../main/relay/operations/budgets.ts";
import { noAgents } from "../../../../support/no-agents.ts";
import { smallSession } from "../small-session.ts";

const budgets = {
  limits: () => ({ day: null, session: null }),
  setLimits: () => undefined,
  set: () => undefined,
  remove: () => false,
};

test("one caller reads the details, and the events, of few agent sessions at a time, and has few reads open", async () => {
  let running = 0;
  const read = () => {
    running += 1;
    return new Promise<never>(() => {});
  };
  const agents = { ...noAgents, details: read, events: read };
  await using lab = smallSession({ agents });
  const page = await lab.join();
  const { getAgentDetails } = budgetHandlers({ budgets, governor: { list: () => [] }, agents });
  const { signal } = new AbortController();
  const context = { caller: userCaller("ann", "127.0.0.1"), session: lab.session, signal };
  const details = async () => getAgentDetails({ session: lab.session.id, agentSession: "a-1" }, context);
  for (let open = 0; open < 64; open++) void details();
  await expect(details()).rejects.toMatchObject({ code: "too_many_requests" });
  expect(running).toBe(2);
  const events = async () => page.ask("getAgentEvents", { sessionId: "a-1" });
  for (let open = 0; open < 64; open++) void events().catch(() => undefined);
  await expect(events()).rejects.toMatchObject({ code: "too_many_requests" });
  expect(running).toBe(4);
});
