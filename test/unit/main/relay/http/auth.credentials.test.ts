import { get } from "node:http";
import { describe, expect, test } from "vitest";
import type { TestRelay } from "../../../../support/test-relay.ts";
import { startPaperRelay } from "../paper-relay.ts";

const call = { method: "getChat", params: {} };

test.each([
  ["no key", (): Record<string, string> => ({ "X-Service-Token": "" })],
  ["a wrong key", () => ({ "X-Service-Token": "pb_wrong" })],
  ["a bearer token as key", (relay: TestRelay) => ({ "X-Service-Token": bearer(relay) })],
  ["a key as bearer token", ({ key }: TestRelay) => ({ "X-Service-Token": "", Authorization: `Bearer ${key}` })],
  ["a bearer token", (relay: TestRelay) => ({ "X-Service-Token": "", Authorization: `Bearer ${bearer(relay)}` })],
])("%s is 401", async (_what, headers) => {
  await using relay = await startPaperRelay();
  await using _one = await relay.join();
  const answer = await relay.post(call, headers(relay));
  expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
    401,
    expect.stringMatching(/^ServiceToken/),
  ]);
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
});

test("a key in the URL is no key, and an unknown session is not told apart without one", async () => {
  await using relay = await startPaperRelay();
  const noKey = { "X-Service-Token": "" };
  expect(await relay.get(`chat?token=${relay.key}&X-Service-Token=${relay.key}`, noKey)).toMatchObject({ status: 401 });
  const elsewhere = "/v1/sessions/nowhere00/remote/chat";
  expect(await relay.request("GET", elsewhere, { headers: noKey })).toMatchObject({ status: 401 });
  expect(await relay.request("GET", elsewhere)).toMatchObject({ status: 404, text: "No session nowhere00.\n" });
});

test("another user's key is 403, at every door", async () => {
  await using relay = await startPaperRelay();
  const { secret } = relay.relay.keys.create({ owner: "somebody else", name: "theirs" });
  const theirs = { "X-Service-Token": secret };
  const session = `/v1/sessions/${relay.session}`;
  for (const [method, path, body] of [
    ["POST", `${session}/remote/command`, call],
    ["GET", `${session}/remote/layout`, undefined],
    ["GET", `${session}/events?follow=false`, undefined],
    ["GET", `${session}/shells/1/output`, undefined],
    ["PATCH", session, { name: "x" }],
    ["DELETE", session, undefined],
  ] as const) {
    const answer = await relay.request(method, path, { headers: theirs, body });
    expect([answer.status, answer.headers.get("x-service-error")], path).toEqual([403, "not_owner"]);
  }
  expect(JSON.parse((await relay.request("GET", "/v1/sessions", { headers: theirs })).text)).toEqual({ result: [] });
});

test("a key revoked while the relay runs opens nothing any more", async () => {
  await using relay = await startPaperRelay();
  await using _one = await relay.join();
  const { secret, key } = relay.relay.keys.create({ owner: relay.relay.user, name: "short" });
  expect(await relay.get("chat", { "X-Service-Token": secret })).toMatchObject({ status: 200 });
  relay.relay.keys.revoke(key.id);
  expect(await relay.get("chat", { "X-Service-Token": secret })).toMatchObject({ status: 401 });
});

test("more than 10 wrong keys a minute are 429 with Retry-After", async () => {
  await using relay = await startPaperRelay();
  const wrong = { "X-Service-Token": "pb_guess" };
  const seen: number[] = [];
  for (let turn = 0; turn < 11; turn++) seen.push((await relay.post(call, wrong)).status);
  expect(seen).toEqual([...Array(10).fill(401), 429]);
  const last = await relay.post(call, wrong);
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(last.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  // Whoever guesses on this machine does not lock its user out.
  expect((await relay.request("GET", "/v1/sessions")).status).toBe(200);
});

describe("pages of other sites", () => {
  test.each([
    [{ Host: "evil.example" }, 403],
    [{ Host: "127.0.0.1.evil.example" }, 403],
    // Headers that only begin as our own name does.
    [{ Host: "127.0.0.1:80@evil.example" }, 403],
    [{ Host: "[::1].evil.example" }, 403],
    [{ Host: "[::1]@evil.example:80" }, 403],
    [{ Host: "localhost:80:evil.example" }, 403],
    [{ Host: "localhost:80; script-src *" }, 403],
    [{ Host: "localhost, evil.example" }, 403],
    [{ Host: "localhost/evil.example" }, 403],
    [{ Host: "localhost:" }, 403],
    [{ Host: "localhost:999999" }, 403],
    [{ Host: "[::1]:7717" }, 200],
    [{ Origin: "https://evil.example" }, 403],
    [{ Origin: "null" }, 403],
    [{ Origin: "null" }, 403],
    [{ Host: "localhost:7717" }, 200],
  ])("%j is %i", async (headers, status) => {
    await using relay = await startPaperRelay();
    expect(await rawStatus(relay, headers)).toBe(status);
  });
});

/** With `node:http`, because `fetch` sets the Host itself. */
async function rawStatus(relay: TestRelay, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const all = { "X-Service-Token": relay.key, ...headers };
    get(`${relay.url}/v1/sessions`, { headers: all }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on("error", reject);
  });
}

function bearer({ relay }: TestRelay): string {
  return relay.keys.create({ owner: relay.user, name: "t", scheme: "bearer", scopes: ["plugins:install"] }).secret;
}

test("guessed invites, guest cookies and page keys count as wrong keys do, and good ones are never refused", async () => {
  await using relay = await startPaperRelay();
  const at = `${relay.url}/s/${relay.session}`;
  const { secret } = relay.relay.invites.create({ session: relay.session, role: "writer", uses: 2, ttlMs: 60_000 });
  const enter = (invite: string) =>
    fetch(`${at}/enter`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ invite, name: "guest" }),
    });
  const guest = ((await (await enter(secret)).json()) as { result: { pageKey: string } }).result.pageKey;
  const status = async (asked: Promise<Response>) => (await asked).status;
  const withKey = (key: string) => fetch(`${at}/guest`, { headers: { "X-Patchbay-Guest": key } });
  const guesses = [
    () => enter("pbi_guessed"),
    () => fetch(`${at}/guest`, { headers: { Cookie: `patchbay_guest_${relay.session}=guessed` } }),
    () => withKey("pbk_guessed"),
    () => fetch(`${at}/tunnels/1`, { method: "POST", headers: { "X-Patchbay-Guest": "pbk_guessed" } }),
  ];
  for (let tried = 0; tried < 10; tried += 1) expect(await status(guesses[tried % 4]?.() ?? enter(""))).not.toBe(429);
  for (const guess of guesses) expect(await status(guess())).toBe(429);
  expect(await status(withKey(guest))).toBe(200);
  expect(await status(enter(secret))).toBe(200);
  // A request without a secret guesses nothing.
  expect(await status(fetch(`${at}/guest`))).toBe(200);
});
