import { expect, test } from "vitest";
import { answer, list, openShell } from "../support/agent-questions.ts";
import { SpendingAgents } from "../support/spending-agents.ts";
import { startTestRelay } from "../support/test-relay.ts";

test("that is a program in a shell neither changes a budget nor answers its question", async () => {
  const agents = new SpendingAgents();
  await using relay = await startTestRelay({ agents: agents.port });
  await using _client = await relay.join();
  const { shell, token } = await openShell(relay);
  const body = { limit: 1 };
  expect((await relay.request("PUT", "/v1/budgets/session", { body })).status).toBe(200);
  agents.spend(relay, shell, { cost: 2 });
  const type = (key: string) =>
    relay.post({ method: "writeToShell", params: { id: shell, data: "x" } }, { "X-Service-Token": key });
  expect((await type(token)).headers.get("x-service-error")).toBe("budget_reached");
  const headers = { "X-Service-Token": token };
  const attacks = [
    relay.request("PUT", "/v1/budgets/session", { headers, body: { limit: 100 } }),
    relay.request("PUT", "/v1/budgets/session", { headers, body: { limit: 1, atLimit: "warn" } }),
    relay.request("DELETE", "/v1/budgets/session", { headers }),
    relay.request("PUT", "/v1/budgets", { headers, body: { session: 100 } }),
    answer(relay, 1, { option: "more" }, token),
    answer(relay, 1, { option: "run" }, token),
    relay.post({ method: "answerQuestion", params: { id: 1, option: "run" } }, headers),
  ];
  for (const { status } of await Promise.all(attacks)) expect([400, 403]).toContain(status);
  expect((await list(relay))[0]).toMatchObject({ id: 1, state: "open" });
  for (const key of [token, relay.key]) expect((await type(key)).headers.get("x-service-error")).toBe("budget_reached");
  expect((await answer(relay, 1, { option: "run" })).status).toBe(200);
  expect((await type(token)).status).toBe(200);
});
