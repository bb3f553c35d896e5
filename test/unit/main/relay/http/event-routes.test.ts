import { expect, test } from "vitest";
import type { TestRelay } from "../../../../support/test-relay.ts";
import { until } from "../../../../support/until.ts";
import { startPaperRelay } from "../paper-relay.ts";

interface Sse {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: { seq?: number; type: string; data: Record<string, unknown> };
}

/** The events that are kept, up to now. */
async function kept(relay: TestRelay, query = "", headers: Record<string, string> = {}): Promise<Sse[]> {
  const path = `/v1/sessions/${relay.session}/events?follow=false${query}`;
  const { status, text } = await relay.request("GET", path, { headers });
  expect(status).toBe(200);
  return parsed(text);
}

function parsed(text: string): Sse[] {
  return text.split("\n\n").flatMap((block) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
    const [event, data] = [field("event"), field("data")];
    return event === undefined || data === undefined ? [] : [{ id: field("id"), event, data: JSON.parse(data) }];
  });
}

test("events are numbered without a hole, name the run, and can be filtered", async () => {
  await using relay = await startPaperRelay();
  await using _one = await relay.join();
  await relay.command("sendChat", { message: "a" });
  await relay.command("toast", { message: "b" });
  const all = await kept(relay);
  expect(all.map(({ id }) => id)).toEqual(all.map((_, index) => `${relay.relay.boot}:${index + 1}`));
  expect(all.map(({ event }) => event)).toEqual(["client.joined", "chat.message", "toast"]);
  expect(all.every(({ event, data }) => data.type === event)).toBe(true);
  expect((await kept(relay, "&types=chat.message, toast")).map(({ event }) => event)).toEqual([
    "chat.message",
    "toast",
  ]);
  const wrong = await relay.request("GET", `/v1/sessions/${relay.session}/events?types=chat`);
  expect(wrong).toMatchObject({ status: 400, text: expect.stringContaining("chat.message") });
});

test("Last-Event-ID goes on after it; another run's is a gap, and nonsense 400", async () => {
  await using relay = await startPaperRelay();
  await using one = await relay.join();
  await relay.command("sendChat", { message: "a" });
  await relay.command("sendChat", { message: "b" });
  const [, second] = await kept(relay);
  const resumed = await kept(relay, "", { "Last-Event-ID": second?.id ?? "" });
  expect(resumed.map(({ data }) => data.data.text)).toEqual(["b"]);
  await one.leave();
  await relay.restart();
  await using _again = await relay.join();
  const [gap, ...rest] = await kept(relay, "", { "Last-Event-ID": second?.id ?? "" });
  expect(gap).toMatchObject({ id: undefined, event: "gap", data: { data: { reason: "the relay was restarted" } } });
  expect(rest.map(({ event }) => event)).toEqual(["client.joined"]);
  const wrong = await relay.request("GET", `/v1/sessions/${relay.session}/events`, {
    headers: { "Last-Event-ID": "nonsense" },
  });
  expect(wrong).toMatchObject({ status: 400 });
});

test("HEAD gets the head of a stream, and its end", async () => {
  await using relay = await startPaperRelay();
  await using _client = await relay.join();
  const { shellId } = await relay.command<{ shellId: number }>("createShell");
  for (const path of ["events", `shells/${shellId}/output`]) {
    const { status, headers, text } = await relay.request("HEAD", `/v1/sessions/${relay.session}/${path}`);
    expect([status, headers.get("content-type"), text]).toEqual([200, "text/event-stream; charset=utf-8", ""]);
  }
});

test("a follower hears what comes, and only that", async () => {
  await using relay = await startPaperRelay();
  await using _one = await relay.join();
  await relay.command("sendChat", { message: "before" });
  const stop = new AbortController();
  const response = await fetch(`${relay.url}/v1/sessions/${relay.session}/events`, {
    headers: { "X-Service-Token": relay.key },
    signal: stop.signal,
  });
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  let text = "";
  const reading = (async () => {
    for await (const piece of response.body ?? []) text += Buffer.from(piece).toString();
  })().catch(() => undefined);
  await relay.command("sendChat", { message: "after" });
  await until("the event", () => parsed(text).length > 0);
  expect(parsed(text).map(({ data }) => data.data.text)).toEqual(["after"]);
  stop.abort();
  await reading;
});

test("a backlog of many megabytes arrives whole, at the reader's pace", async () => {
  await using relay = await startPaperRelay();
  const { state } = relay.relay.sessions.get(relay.session);
  const data = "x".repeat(8000);
  for (let count = 0; count < 2000; count++)
    state.emit({ type: "plugin.event", data: { type: "t", data, from: null } });
  const all = await kept(relay);
  expect([all.length, all.at(-1)?.data.seq]).toEqual([2000, 2000]);
});

test("who was away too long is told how much it missed", async () => {
  await using relay = await startPaperRelay();
  const { state } = relay.relay.sessions.get(relay.session);
  for (let count = 0; count < 10_005; count++) state.emit({ type: "plugin.event", data: { type: "t", from: null } });
  const [gap, first] = await kept(relay, "", { "Last-Event-ID": `${relay.relay.boot}:2` });
  expect(gap).toMatchObject({ event: "gap", data: { data: { missed: 3 } } });
  expect(first?.data.seq).toBe(6);
});

test("a slow reader of the kept events gets none that come after the end of its key", async () => {
  await using relay = await startPaperRelay();
  await using _one = await relay.join();
  // More than connections take.
  for (let count = 0; count < 150; count++) await relay.command("broadcastEvent", { type: "x", data: "a".repeat(1e5) });
  const { secret } = relay.relay.keys.create({ owner: relay.relay.user, name: "slow" });
  const response = await fetch(`${relay.url}/v1/sessions/${relay.session}/events?follow=false`, {
    headers: { "X-Service-Token": secret, "Last-Event-ID": `${relay.relay.boot}:0` },
  });
  relay.relay.keys.revoke("slow");
  await relay.command("sendChat", { message: "a secret of later" });
  const text = await response.text();
  expect(text).not.toContain("a secret of later");
  expect(parsed(text).at(-1)).toMatchObject({ event: "closed", data: { data: { code: "unauthenticated" } } });
});
