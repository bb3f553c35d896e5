import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { TestRelay } from "../../../../support/test-relay.ts";
import { startPaperRelay } from "../paper-relay.ts";

const DAY_MS = 24 * 60 * 60_000;
let relay: TestRelay;

beforeEach(async () => {
  relay = await startPaperRelay();
});

afterEach(async () => {
  vi.useRealTimers();
  await relay[Symbol.asyncDispose]();
});

/** Creates an invite to a session and returns its secret. */
async function invite(body: object = {}, session: string = relay.session): Promise<string> {
  const { text } = await relay.request("POST", `/v1/sessions/${session}/invites`, { body });
  const { result } = JSON.parse(text) as { result: { url: string } };
  return new URL(result.url).hash.slice(1);
}

/** Uses an invite as a browser does. */
async function enter(secret: string, session: string = relay.session) {
  const { status, text, headers } = await relay.request("POST", `/s/${session}/enter`, {
    headers: { "X-Service-Token": "", Origin: relay.url },
    body: { invite: secret, name: "Ann" },
  });
  const [cookie = ""] = (headers.get("set-cookie") ?? "").split(";");
  return { status, text, cookie };
}

/** What a browser with this cookie is to a session; null for a stranger. */
async function guest(cookie: string, session: string = relay.session): Promise<unknown> {
  const { text } = await relay.request("GET", `/s/${session}/guest`, {
    headers: { "X-Service-Token": "", Cookie: cookie },
  });
  return (JSON.parse(text) as { result: unknown }).result;
}

/** Sets the wall clock ahead for one call; nothing else in the process may see it. */
async function later<T>(ms: number, call: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
  try {
    return await call();
  } finally {
    vi.useRealTimers();
  }
}

test("an invite lets in as many browsers as it allows, each with the role of the invite", async () => {
  const once = await invite({ role: "reader" });
  const first = await enter(once);
  expect([first.status, JSON.parse(first.text)]).toMatchObject([200, { result: { name: "Ann", role: "reader" } }]);
  expect(await guest(first.cookie)).toMatchObject({ role: "reader" });
  expect((await enter(once)).status).toBe(403);

  const twice = await invite({ role: "admin", uses: 2 });
  const answers = [await enter(twice), await enter(twice), await enter(twice)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 403]);
  expect(await guest(answers[1]?.cookie ?? "")).toMatchObject({ role: "admin" });
});

test("of browsers that use an invite at the same time, as many are let in as it allows", async () => {
  const secret = await invite({ uses: 3 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => enter(secret)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
});

test("an invite that has expired, was revoked or is for another session lets nobody in, and the refusals are alike", async () => {
  const short = await invite({ ttl: 60 });
  const expired = await later(61_000, () => enter(short));
  const { text } = await relay.request("POST", `/v1/sessions/${relay.session}/invites`, { body: {} });
  const { result } = JSON.parse(text) as { result: { id: string; url: string } };
  await relay.request("DELETE", `/v1/sessions/${relay.session}/invites/${result.id}`);
  const revoked = await enter(new URL(result.url).hash.slice(1));
  const made = await relay.request("POST", "/v1/sessions", { body: { name: "other" } });
  const other = (JSON.parse(made.text) as { result: { id: string } }).result.id;
  const elsewhere = await enter(await invite(), other);
  const unknown = await enter("pbi_unknown");
  for (const answer of [expired, revoked, elsewhere]) {
    expect([answer.status, answer.text, answer.cookie]).toEqual([403, unknown.text, ""]);
  }
});

test("a guest is one for 30 days, and of one session", async () => {
  const { cookie } = await enter(await invite());
  expect(await later(29 * DAY_MS, () => guest(cookie))).toMatchObject({ name: "Ann" });
  expect(await later(31 * DAY_MS, () => guest(cookie))).toBeNull();
  const made = await relay.request("POST", "/v1/sessions", { body: { name: "other" } });
  const other = (JSON.parse(made.text) as { result: { id: string } }).result.id;
  expect(await guest(cookie.replace(relay.session, other), other)).toBeNull();
});
