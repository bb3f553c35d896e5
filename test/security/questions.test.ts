import { expect, test } from "vitest";
import type { AgentInShell } from "../../main/relay/session/ports.ts";
import { answer, event, list, openShell, report } from "../support/agent-questions.ts";
import { startTestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";

const claude: AgentInShell = { run: "1/1", agentType: "claude", folder: "/project" };

test("that is an agent answers no question, allowed or not, neither by the operation nor by typing", async () => {
  let agents: AgentInShell[] = [];
  await using relay = await startTestRelay({
    findAgents: async (_session, { id }) => (id === 1 ? agents : []),
  });
  await using _client = await relay.join();
  const mine = await openShell(relay);
  const other = await openShell(relay, "other");
  agents = [claude];
  const output = report(relay, mine.token, event("PermissionRequest", "touch made"), "hook-1");
  await until("the question", async () => (await list(relay)).length === 1);
  expect(await list(relay, "", { "X-Service-Token": mine.token })).toHaveLength(1);
  const type = () => relay.post({ method: "sendKeys", params: { keys: ["Enter"] } }, { "X-Service-Token": mine.token });
  /** What an agent sends as a prompt to its own shell, without the guard. */
  const prompt = async () => {
    const body = { shellId: mine.shell, text: "1", when: "now", guard: false };
    const headers = { "X-Service-Token": mine.token };
    const sent = await relay.request("POST", `/v1/sessions/${relay.session}/prompts`, { body, headers });
    const { id } = JSON.parse(sent.text).result;
    const { sends } = relay.relay.sessions.get(relay.session);
    return until("the receipt", () => (sends.get(id).final ? sends.get(id).reason : undefined));
  };
  const refusals = async () => {
    const [answered, typed] = [await answer(relay, 1, { option: "yes" }, mine.token), await type()];
    const codes = [answered, typed].map(({ headers }) => headers.get("x-service-error"));
    return [...codes, await prompt()];
  };
  expect(await refusals()).toEqual(["scope_forbids", "question_open", "question_open"]);
  // The refusal of something else asks the user to allow the agent.
  await relay.post({ method: "closeShell", params: { id: other.shell } }, { "X-Service-Token": mine.token });
  const request = relay.relay.sessions.get(relay.session).state.now.restrictions.requests[0]?.id;
  expect(request).toBeDefined();
  await relay.command("answerAgent", { request, answer: "once" });
  expect(await refusals()).toEqual(["scope_forbids", "question_open", "question_open"]);
  // A shell of the user's own, without an agent.
  expect((await answer(relay, 1, { option: "yes" }, other.token)).status).toBe(200);
  expect(await output).toContain('"allow"');
  expect((await type()).status).toBe(200);
});
