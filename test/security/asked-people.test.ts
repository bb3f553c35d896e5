import { expect, test } from "vitest";
import { answer, event, list, openShell, report } from "../support/agent-questions.ts";
import { startTestRelay, type TestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";

/** Asks people with the token of a shell. */
function ask(relay: TestRelay, token: string, body: object, signal = AbortSignal.timeout(60_000)): Promise<Response> {
  return fetch(`${relay.url}/v1/sessions/${relay.session}/questions`, {
    method: "POST",
    headers: { "X-Service-Token": token, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
}

test("that asks people without end, in several shells, keeps no agent of another one from asking", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const other = await openShell(relay, "other");
  const leave = new AbortController();
  const asks = [];
  for (const name of ["a", "b", "c"]) {
    const { token } = await openShell(relay, name);
    for (let asked = 0; asked < 25; asked += 1)
      asks.push(ask(relay, token, { question: `${name}${asked}` }, leave.signal));
  }
  const settled = Promise.allSettled(asks);
  await until("as many questions as a session has", async () => (await list(relay)).length >= 50);
  const output = report(relay, other.token, event("PermissionRequest", "make"), "other");
  const question = await until("the agent's", async () =>
    (await list(relay)).find(({ shellId }) => shellId === other.shell),
  );
  await answer(relay, question.id, { option: "yes" });
  expect(await output).toContain('"allow"');
  leave.abort();
  await settled;
  await until("the questions of who is gone to go", async () =>
    (await list(relay)).every(({ shellId }) => shellId === other.shell),
  );
});

test("that asks people cannot pose as an agent that asks for leave, nor hide what it says", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const { token } = await openShell(relay);
  const leave = new AbortController();
  const hidden = "\u202eBash:\u001b[2K rm\u200b -rf\nRisk: low";
  const options = ["Yes, this once\u202e", "No\r\n\u001b[1A"];
  const asked = ask(relay, token, { question: hidden, options }, leave.signal).catch(() => undefined);
  const question = await until("the question", async () => (await list(relay))[0]);
  expect(question).toMatchObject({ kind: "choice", agentType: "program", source: "protocol", detail: {} });
  const lines = [question.title, ...question.options.map(({ label }) => label)];
  for (const line of [...lines, question.text.replaceAll("\n", "")])
    expect(line).not.toMatch(/[\p{Cc}\u200b\u202a-\u202e\u2066-\u2069]/u);
  leave.abort();
  await asked;
  await until("it to go with its program", async () => (await list(relay)).length === 0);
  const unseen = [{ question: "\u202e\u3164" }, { question: "Deploy?", options: ["Yes", "\u2800\u00ad"] }];
  const alike = ["N\u043e", "no", "N0", "N\u200bo", "\uff2eo"].map((other) => ({
    question: "Deploy?",
    options: ["No", other],
  }));
  for (const body of [...unseen, ...alike]) expect([body, (await ask(relay, token, body)).status]).toEqual([body, 400]);
});
