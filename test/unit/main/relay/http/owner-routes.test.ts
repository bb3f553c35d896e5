import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestRelay } from "../../../../support/test-relay.ts";
import { startPaperRelay } from "../paper-relay.ts";

let relay: TestRelay;
beforeAll(async () => {
  relay = await startPaperRelay();
});
afterAll(() => relay[Symbol.asyncDispose]());

const newLink = async () =>
  new URL((await relay.command<{ url: string }>("createOwnerLink")).url).hash.replace("#owner=", "");

async function enter(link: string, { session = String(relay.session), origin = relay.url } = {}) {
  const answer = await relay.request("POST", `/s/${session}/owner`, {
    headers: { "X-Service-Token": "", Origin: origin, "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0" },
    body: { link },
  });
  return { ...answer, key: answer.status === 200 ? JSON.parse(answer.text).result.apiKey : undefined };
}

test("the owner's link is exchanged for a key of the browser, which is listed, ends and can be revoked", async () => {
  const link = await newLink();
  const { key } = await enter(link);
  const headers = { "X-Service-Token": key };
  const { result } = JSON.parse((await relay.request("GET", "/v1/keys", { headers })).text);
  const own = result.find(({ name }: { name: string }) => name === "browser: Firefox on Linux");
  expect(own).toMatchObject({ owner: relay.relay.user, restrictions: {} });
  expect(Date.parse(own.expiresAt) - Date.now()).toBeLessThanOrEqual(30 * 24 * 3_600_000);
  const log = (await relay.request("GET", "/v1/audit", { headers })).text;
  expect(log).toContain(`"from":"owner's link from 127.0.0.1"`);
  expect(log).not.toContain(link);
  expect(log).not.toContain(key);
  await relay.request("DELETE", `/v1/keys/${own.id}`);
  expect((await relay.request("GET", "/v1/keys", { headers })).status).toBe(401);
});

test("a link that was used lets nobody in, nor one to another session or from a page of another origin", async () => {
  const link = await newLink();
  expect((await enter(link, { origin: "https://evil.example" })).status).toBe(403);
  expect((await enter(link, { session: "another" })).status).toBe(404);
  expect((await enter(link)).status).toBe(200);
  const again = await enter(link);
  expect([again.status, again.headers.get("x-service-error"), again.key]).toEqual([403, "invite_spent", undefined]);
});

test("guesses are slowed down as those of keys are", async () => {
  const statuses: number[] = [];
  for (let guess = 0; guess < 12; guess++) statuses.push((await enter(`pbo_${guess}`)).status);
  expect(statuses.at(-1)).toBe(429);
});
