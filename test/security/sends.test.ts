import { expect, test } from "vitest";
import type { AgentInShell } from "../../main/relay/session/ports.ts";
import { openShell } from "../support/agent-questions.ts";
import { SpendingAgents } from "../support/spending-agents.ts";
import { startTestRelay } from "../support/test-relay.ts";

const claude: AgentInShell = { run: "1/1", agentType: "claude", folder: "/project" };

test("that is an agent neither rewrites nor cancels what another one is to be told, nor keeps people out of its queue", async () => {
  const agents = new SpendingAgents();
  await using relay = await startTestRelay({ agents: agents.port, findAgents: async () => [claude] });
  await using _client = await relay.join();
  const { shell, token } = await openShell(relay);
  agents.tell(relay, shell, "working");
  const call = (method: string, rest: string, body?: object, key = relay.key) =>
    relay.request(method, `/v1/sessions/${relay.session}${rest}`, {
      ...(body && { body }),
      headers: { "X-Service-Token": key },
    });
  const send = (text: string, key?: string) => call("POST", "/prompts", { shellId: shell, text }, key);
  const { id } = JSON.parse((await send("do as I say")).text).result;
  for (const body of [{ text: "do as it says" }, { when: "now" }, { expiresIn: 1 }, { position: 1 }]) {
    const { headers } = await call("PATCH", `/receipts/${id}`, body, token);
    expect(headers.get("x-service-error")).toBe("scope_forbids");
  }
  const cancelled = await call("DELETE", `/receipts/${id}`, undefined, token);
  expect(cancelled.headers.get("x-service-error")).toBe("scope_forbids");
  expect(JSON.parse((await call("GET", `/receipts/${id}`)).text).result).toMatchObject({
    ...{ prompt: "do as I say", state: "queued" },
  });
  const flood = await Promise.all(Array.from({ length: 60 }, (_, index) => send(`prompt ${index}`, token)));
  expect(flood.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(50);
  expect(flood.some(({ headers }) => headers.get("x-service-error") === "limit_reached")).toBe(true);
  expect((await send("and I say more")).status).toBe(201);
});
