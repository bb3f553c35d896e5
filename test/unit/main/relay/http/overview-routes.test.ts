import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { readEventStream } from "../../../../../client/event-stream.ts";
import { Overview } from "../../../../../core/operations/overview.ts";
import { OverviewEvent } from "../../../../../core/protocol/overview-changes.ts";
import type { TestRelay } from "../../../../support/test-relay.ts";
import { until } from "../../../../support/until.ts";
import { startPaperRelay } from "../paper-relay.ts";

const Answer = z.object({ result: Overview });
let relay: TestRelay;

beforeEach(async () => {
  relay = await startPaperRelay();
});
afterEach(() => relay[Symbol.asyncDispose]());

/** Follows the stream, and keeps what it says. */
async function follow(key = relay.key) {
  const abort = new AbortController();
  const answer = await fetch(`${relay.url}/v1/overview/changes`, {
    headers: { "X-Service-Token": key },
    signal: abort.signal,
  });
  if (answer.body === null) throw new Error("no stream");
  const events: z.infer<typeof OverviewEvent>[] = [];
  const body = answer.body;
  const read = async () => {
    for await (const { data } of readEventStream(body)) events.push(OverviewEvent.parse(JSON.parse(data)));
  };
  const ended = read().catch(() => undefined);
  const parts = () => events.flatMap((event) => (event.type === "changed" ? event.data.parts : []));
  return { events, parts, ended, stop: () => abort.abort() };
}

test("tells of shells, people, sessions and budgets, each once it has changed", async () => {
  const stream = await follow();
  await using _client = await relay.join();
  await until("the person", () => stream.parts().includes("people"));
  await relay.command("createShell", { exec: ["sleep", "60"] });
  await until("the shell", () => stream.parts().includes("shells"));
  expect(stream.events).toContainEqual({
    type: "changed",
    data: { parts: expect.arrayContaining(["shells"]), sessions: [relay.session] },
  });
  await relay.request("POST", "/v1/sessions", { body: { name: "second" } });
  await until("the session", () => stream.parts().includes("sessions"));
  expect(stream.parts()).not.toContain("budgets");
  await relay.request("PUT", "/v1/budgets", { body: { day: 5 } });
  await until("the budget", () => stream.parts().includes("budgets"));
  stream.stop();
  await stream.ended;
});

test("ends with its key, and says why", async () => {
  const { keys, user } = relay.relay;
  const { secret } = keys.create({ owner: user, name: "panel" });
  const stream = await follow(secret);
  keys.revoke("panel");
  await stream.ended;
  expect(stream.events.at(-1)).toMatchObject({ type: "closed", data: { code: "unauthenticated" } });
});

test("one session can be read alone; one that was closed is not there", async () => {
  const read = async (session: string) => {
    const { text } = await relay.request("GET", `/v1/overview?session=${session}`);
    return Answer.parse(JSON.parse(text)).result.sessions.map(({ session: { id } }) => id);
  };
  await relay.request("POST", "/v1/sessions", { body: { name: "second" } });
  expect(await read(relay.session)).toEqual([relay.session]);
  expect(await read("session-closed-00")).toEqual([]);
});

test("tells what does not work in the relay, as long as it does not", async () => {
  let issue: string | undefined = "The store cannot be written";
  await using own = await startPaperRelay({ healthIssue: () => issue });
  const read = async () => Answer.parse(JSON.parse((await own.request("GET", "/v1/overview")).text)).result.healthIssue;
  expect(await read()).toBe(issue);
  issue = undefined;
  expect(await read()).toBeNull();
});

test.each<[string, (relay: TestRelay["relay"]) => string, number, string]>([
  ["another person's key", ({ keys }) => keys.create({ owner: "another", name: "other" }).secret, 403, "not_owner"],
  [
    "a restricted key",
    ({ keys, user }) => keys.create({ owner: user, name: "reader", restrictions: { methods: ["getTiles"] } }).secret,
    403,
    "scope_forbids",
  ],
  ["no key", () => "", 401, "unauthenticated"],
])("is refused for %s", async (_what, keyOf, status, code) => {
  const headers = { "X-Service-Token": keyOf(relay.relay) };
  const answer = await relay.request("GET", "/v1/overview/changes", { headers });
  expect([answer.status, answer.headers.get("x-service-error")]).toEqual([status, code]);
});

test("a HEAD gets the head of the stream, and its end", async () => {
  const { status, headers, text } = await relay.request("HEAD", "/v1/overview/changes");
  expect([status, headers.get("content-type"), text]).toEqual([200, "text/event-stream; charset=utf-8", ""]);
});
