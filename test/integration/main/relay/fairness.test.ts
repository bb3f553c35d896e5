import { expect, test } from "vitest";
import { type Answer, startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

/** Takes longer than any limit on text without a match, in an engine that goes back. */
const HOSTILE = "(a+)+$|(a|aa)+=$";
const TEXT = `${"a".repeat(40)}b`;

interface Waits {
  readonly ended: Promise<Answer[]>;
  readonly holders: () => number;
}

test.each(["(a+)+$=", "(a|aa)+=$", "(.*a){25}=", "(?=(a+)+=)b"])(
  "the pattern %s holds up nobody: its caller is told, and others are answered meanwhile",
  { tags: "slow" },
  async (pattern) => {
    await using relay = await startTestRelay();
    await using _client = await relay.join();
    const { shellId } = await relay.command<{ shellId: number }>("createShell");
    await relay.command("runCommand", { command: `for n in 1 2 3 4 5 6 7 8 9; do echo ${TEXT}; done`, wait: true });
    const key = keyOf(relay, "hostile");
    const hostile = Array.from({ length: 10 }, () =>
      relay.post({ method: "waitFor", params: { id: shellId, text: pattern, since: 0, timeout: 600 } }, key),
    );
    const honest = relay.post({
      method: "waitFor",
      params: { id: shellId, text: "^b+$|a{40}b", since: 0, timeout: 60 },
    });
    expect(await honest).toMatchObject({ status: 200 });
    for (const { status, text } of await Promise.all(hostile)) {
      expect([status, text]).toEqual([400, expect.stringContaining("takes too long; make it simpler")]);
    }
  },
);

test("one caller has so many waits open, others have theirs, and an end gives room", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const { shellId } = await relay.command<{ shellId: number }>("createShell");
  const greedy = keyOf(relay, "greedy");
  const waits = openWaits(relay, "greedy", greedy, { shellId, count: 64 });
  waits.ended.catch(() => undefined);
  await until("all waits to be open", () => waits.holders() >= 64);
  const wait = (headers: Record<string, string>) =>
    relay.post({ method: "waitFor", params: { id: shellId, idle: 1, timeout: 10 } }, headers);
  const refused = await wait(greedy);
  const again = await wait({ ...greedy, "Idempotency-Key": "once" });
  expect([refused.status, again.status]).toEqual([429, 429]);
  expect([refused.status, refused.headers.get("x-service-error"), refused.text]).toEqual([
    429,
    "too_many_requests",
    expect.stringContaining("64 waits"),
  ]);
  expect(await wait(keyOf(relay, "modest"))).toMatchObject({ status: 200 });
  // What does not wait is not refused.
  expect(await relay.get("chat", greedy)).toMatchObject({ status: 200 });
  await relay.command("closeShell", { id: shellId });
  expect((await waits.ended).map(({ status }) => status)).toEqual(Array.from({ length: 64 }, () => 400));
  const { shellId: next } = await relay.command<{ shellId: number }>("createShell");
  const params = { id: next, idle: 1, timeout: 10 };
  const repeated = await relay.post({ method: "waitFor", params }, { ...greedy, "Idempotency-Key": "later" });
  expect(repeated).toMatchObject({ status: 200 });
});

test("one caller has so many streams open", async () => {
  await using relay = await startTestRelay();
  const greedy = keyOf(relay, "greedy");
  const open = (headers: Record<string, string>) =>
    fetch(`${relay.url}/v1/sessions/${relay.session}/events`, { headers });
  const streams = await Promise.all(Array.from({ length: 64 }, () => open(greedy)));
  expect(streams.every(({ status }) => status === 200)).toBe(true);
  const refused = await open(greedy);
  expect([refused.status, refused.headers.get("x-service-error")]).toEqual([429, "too_many_requests"]);
  const modest = await open(keyOf(relay, "modest"));
  expect(modest.status).toBe(200);
  await Promise.all([...streams, modest].map(({ body }) => body?.cancel()));
  await until("the streams to be closed", async () => {
    const again = await open(greedy);
    await again.body?.cancel();
    return again.status === 200;
  });
});

test("one caller leaves so much unread, others are answered, and reading gives room", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const { shellId } = await relay.command<{ shellId: number }>("createShell");
  // Each byte is six of JSON, so the system takes but a part of it.
  await relay.command("runCommand", { command: "head -c 3000000 /dev/zero | tr '\\0' '\\1'", wait: true });
  const greedy = keyOf(relay, "greedy");
  const body = JSON.stringify({ method: "getShellOutput", params: { id: shellId } });
  const ask = (headers: Record<string, string>) =>
    fetch(`${relay.url}/v1/sessions/${relay.session}/remote/command`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body,
    });
  const unread = await Promise.all(Array.from({ length: 24 }, () => ask(greedy)));
  expect(new Set(unread.map(({ status }) => status))).toEqual(new Set([200]));
  await until("the caller to be refused", async () => (await relay.get("chat", greedy)).status === 429);
  const refused = await relay.get("chat", greedy);
  expect([refused.status, refused.headers.get("x-service-error")]).toEqual([429, "too_many_requests"]);
  expect(await relay.get("chat", keyOf(relay, "modest"))).toMatchObject({ status: 200 });
  for (const { body: left } of unread) await left?.cancel();
  await until("the caller to be served", async () => (await relay.get("chat", greedy)).status === 200);
});

test("a wait with a pattern finds what was printed before the shell ended, over the ends of lines too", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const { shellId } = await relay.command<{ shellId: number }>("createShell", { hold: true });
  const wait = (text: string) =>
    relay.post({ method: "waitFor", params: { id: shellId, text, since: 0, timeout: 30 } });
  const patterns = [
    "^fir[s]t$",
    "fir[s]t\\nsec[o]nd",
    "sec[^x;]+th[i]rd",
    "^th[i]rd\\s",
    "(?<=fir[s]t\\s)second",
    "n.t there",
  ];
  const waits = patterns.map(wait);
  await relay.command("writeToShell", { id: shellId, data: "echo first; echo second; echo third; exit\\n" });
  const answers = await Promise.all(waits);
  expect(answers.map(({ status, text }) => (status === 200 ? JSON.parse(text).result.match : status))).toEqual([
    "first",
    "first\nsecond",
    expect.stringMatching(/^second\nthird$/),
    "third\n",
    "second",
    400,
  ]);
});

function keyOf(relay: TestRelay, name: string): Record<string, string> {
  return { "X-Service-Token": relay.relay.keys.create({ owner: relay.relay.user, name }).secret };
}

function openWaits(
  relay: TestRelay,
  name: string,
  headers: Record<string, string>,
  { shellId, count }: { shellId: number; count: number },
): Waits {
  const params = { id: shellId, text: HOSTILE, timeout: 600 };
  const ended = Promise.all(Array.from({ length: count }, () => relay.post({ method: "waitFor", params }, headers)));
  const holders = () => {
    const { keys } = relay.relay;
    const caller = keys.verify(headers["X-Service-Token"] ?? "", "api");
    if (caller?.keyName !== name) throw new Error(`${name} is no key`);
    return keys.lifetimeOf(caller)?.holders ?? 0;
  };
  return { ended, holders };
}
