import { afterAll, beforeAll, expect, test } from "vitest";
import type { Question } from "../../../../../core/protocol/questions.ts";
import { answer, event, list, openShell, report } from "../../../../support/agent-questions.ts";
import { type FleetLab, startFleetLab, untilAllPresent } from "../../../../support/fleet-lab.ts";
import type { TestRelay } from "../../../../support/test-relay.ts";
import { until } from "../../../../support/until.ts";

let lab: FleetLab;
let laptop: TestRelay;
let box: TestRelay;

beforeAll(async () => {
  lab = await startFleetLab(["laptop", "box"]);
  laptop = lab.relay("laptop");
  box = lab.relay("box");
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
});

test("the open questions of a relay that is away are read at another one, until they are answered", async () => {
  await using _client = await box.join();
  const { token, shell } = await openShell(box);
  const output = report(box, token, event("PermissionRequest", "rm -rf build"), "run-1");
  output.catch(() => undefined);
  const [asked] = await until("the question", async () => {
    const open = await list(box);
    return open.length > 0 ? open : undefined;
  });
  if (asked === undefined) throw new Error("no question is open");
  await leave();
  const read = await questionsAt();
  expect(read.status).toBe(200);
  expect(read.headers.get("x-service-relay")).toBe("box");
  expect(Date.parse(read.headers.get("x-service-away-since") ?? "")).toBeGreaterThan(Date.now() - 60_000);
  const { id, title, text, askedAt, options } = asked;
  const kept = { id, title, text, askedAt, options, state: "open", answerable: false, shellId: shell };
  expect(resultOf(read.text)).toEqual([expect.objectContaining(kept)]);
  expect(Object.keys(resultOf(read.text)[0]?.detail ?? {})).toEqual(["command"]);
  expect([asked.digest, resultOf(read.text)[0]?.digest]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), null]);
  expect(resultOf((await questionsAt(`?shell=${shell}`)).text)).toHaveLength(1);
  expect(resultOf((await questionsAt(`?closed=false&shell=${shell}`)).text)).toHaveLength(1);
  expect(resultOf((await questionsAt(`?shell=${shell + 1}`)).text)).toEqual([]);

  await lab.join("box");
  await untilAllPresent([laptop, box], 2);
  expect((await answer(box, asked.id, { option: asked.options[0]?.id })).status).toBe(200);
  // The agent's own record confirms the answer.
  await report(box, token, event("PostToolUse", "rm -rf build"), "run-2");
  await until("no question to be open", async () => (await list(box)).length === 0);
  await leave();
  expect(resultOf((await questionsAt()).text)).toEqual([]);
  await lab.join("box");
  await untilAllPresent([laptop, box], 2);
});

test("of a relay that is away, nothing is read with a key of it, or with a restricted one, and nothing is answered", {
  tags: "slow",
}, async () => {
  await leave();
  const timeout = { "X-Service-Timeout": "0.2" };
  const { relay } = laptop;
  const restricted = relay.keys.create({ owner: relay.user, name: "reader", restrictions: { readOnly: true } }).secret;
  const others = relay.keys.create({ owner: "another", name: "another" }).secret;
  for (const key of [box.key, restricted, others, "pb_guess"]) {
    const { status, text } = await questionsAt("", { "X-Service-Token": key, ...timeout });
    expect([status, text.includes('"result"')]).toEqual([504, false]);
  }
  expect((await questionsAt("?undeclared=1", timeout)).status).toBe(504);
  const path = `/v1/sessions/${box.session}/questions/1/answer`;
  expect((await laptop.request("POST", path, { body: { option: "allow" }, headers: timeout })).status).toBe(504);
  await lab.join("box");
  await untilAllPresent([laptop, box], 2);
});

/** Takes the box out of the fleet, as its stop does. */
async function leave(): Promise<void> {
  await box.relay.fleet?.[Symbol.asyncDispose]();
  await until("the box to be away", () =>
    laptop.relay.fleet?.status().members.some(({ name, state }) => name === "box" && state === "away"),
  );
}

function questionsAt(query = "", headers: Record<string, string> = {}) {
  return laptop.request("GET", `/v1/sessions/${box.session}/questions${query}`, { headers });
}

function resultOf(text: string): Question[] {
  return (JSON.parse(text) as { result: Question[] }).result;
}
