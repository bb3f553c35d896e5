import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Overview } from "../../core/operations/overview.ts";
import type { KeyRestrictions } from "../../core/protocol/key-restrictions.ts";
import { GUEST_HEADER } from "../../core/protocol/page-credentials.ts";
import { enterAsGuest } from "../support/guest.ts";
import { startTestRelay, type TestRelay } from "../support/test-relay.ts";

/** What the owner's panel in a browser shows, and who is refused it. */
let relay: TestRelay;

beforeAll(async () => {
  relay = await startTestRelay({ pagesFolder: "dist/renderer" });
});
afterAll(() => relay[Symbol.asyncDispose]());

const overview = (headers: Record<string, string>) => relay.request("GET", "/v1/overview", { headers });
/** The stream of its changes: a HEAD request ends at once. */
const changes = (headers: Record<string, string>) => relay.request("HEAD", "/v1/overview/changes", { headers });
const withKey = (key: string) => overview({ "X-Service-Token": key });

test("the page holds no data, and allows only its own scripts and this relay", async () => {
  for (const path of ["/panel", "/panel?a=b"]) {
    const { status, text, headers } = await relay.request("GET", path, { headers: { "X-Service-Token": "" } });
    expect([path, status]).toEqual([path, 200]);
    expect(text).not.toContain(relay.session);
    expect(text).not.toContain(relay.key);
    const policy = headers.get("content-security-policy") ?? "";
    for (const part of ["default-src 'none'", "connect-src 'self'", "frame-src 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(part);
    expect(headers.get("cache-control")).toBe("no-store");
    const [script = ""] = /s\/assets\/[\w.-]+\.js/.exec(text) ?? [];
    expect((await relay.request("GET", `/${script}`, { headers: { "X-Service-Token": "" } })).status).toBe(200);
  }
});

test("the owner sees all sessions; a guest of any role, a stranger and a limited key see nothing", async () => {
  const { keys, user } = relay.relay;
  const owners = await withKey(relay.key);
  expect(owners.status).toBe(200);
  const { result } = JSON.parse(owners.text) as { result: unknown };
  expect(Overview.parse(result)).toMatchObject({ user, sessions: [{ session: { id: relay.session } }] });
  // What people said in the chat is not in it.
  expect(owners.text).not.toContain('"chat"');

  for (const role of ["admin", "writer", "reader"] as const) {
    using guest = await enterAsGuest(relay, { role, name: `the ${role}` });
    const [, secret = ""] = guest.cookie.split("=");
    expect([role, (await overview({ "X-Service-Token": "", Cookie: guest.cookie })).status]).toEqual([role, 401]);
    expect([role, (await withKey(secret)).status]).toEqual([role, 401]);
  }
  expect((await overview({ "X-Service-Token": "" })).status).toBe(401);
  expect((await changes({ "X-Service-Token": relay.key })).status).toBe(200);
  expect((await withKey("pb_guessed")).status).toBe(401);

  const limited: readonly KeyRestrictions[] = [
    { readOnly: true },
    { methods: ["getOverview"] },
    { methods: ["*"], readOnly: true },
    { ownShells: true },
  ];
  for (const restrictions of limited) {
    const { secret } = keys.create({ owner: user, name: "limited", restrictions });
    expect([restrictions, (await withKey(secret)).status]).toEqual([restrictions, 403]);
    expect([restrictions, (await changes({ "X-Service-Token": secret })).status]).toEqual([restrictions, 403]);
  }
  const other = keys.create({ owner: "somebody else", name: "other" });
  expect((await withKey(other.secret)).status).toBe(403);
  expect((await changes({ "X-Service-Token": other.secret })).status).toBe(403);
});

test("what the drawer of a session's page asks for is refused to a guest of any role, whatever the page presents", async () => {
  const { session } = relay;
  const requests = ["overview", "usage?days=1&by=hour", "keys", "audit", "settings", `sessions/${session}/invites`];
  for (const path of requests) expect([path, (await relay.request("GET", `/v1/${path}`)).status]).toEqual([path, 200]);
  for (const role of ["admin", "writer", "reader"] as const) {
    using guest = await enterAsGuest(relay, { role, name: `the ${role} of a page` });
    const [, secret = ""] = guest.cookie.split("=");
    const presented: readonly Record<string, string>[] = [
      { "X-Service-Token": "", Cookie: guest.cookie },
      { "X-Service-Token": "", [GUEST_HEADER]: secret },
      { "X-Service-Token": secret },
    ];
    for (const headers of presented) expect([401, 403, 429]).toContain((await changes(headers)).status);
    for (const path of requests) {
      for (const headers of presented) {
        const { status, text } = await relay.request("GET", `/v1/${path}`, { headers });
        // 429: after too many wrong keys.
        expect([401, 403, 429], `${role} ${path} ${Object.keys(headers).join()}: ${text}`).toContain(status);
      }
    }
  }
});

test("a guest of any role finds nothing by the panel's search, and a key finds in the sessions of its owner only", async () => {
  const { session, key, relay: running } = relay;
  const search = `/v1/sessions/${session}/search?query=needle&in=session`;
  for (const role of ["admin", "writer", "reader"] as const) {
    using guest = await enterAsGuest(relay, { role, name: `the searching ${role}` });
    const [, secret = ""] = guest.cookie.split("=");
    for (const headers of [
      { "X-Service-Token": "", Cookie: guest.cookie },
      { "X-Service-Token": "", [GUEST_HEADER]: secret },
      { "X-Service-Token": secret },
    ]) {
      expect([401, 403, 429]).toContain((await relay.request("GET", search, { headers })).status);
    }
  }
  const statusOf = async (headers: Record<string, string>) => (await relay.request("GET", search, { headers })).status;
  const other = running.keys.create({ owner: "somebody else", name: "searches" });
  expect([401, 403, 404]).toContain(await statusOf({ "X-Service-Token": other.secret }));
  // This relay records nothing, which it tells those who may search.
  expect(await statusOf({ "X-Service-Token": key })).toBe(400);
});

test("a program in a shell is refused with the token of its shell", async () => {
  await relay.join();
  const { key } = await relay.command<{ key: number }>("createShell");
  const file = join(relay.folder, "token");
  await relay.command("runCommand", { tile: key, wait: true, command: `printf %s "$SERVICE_TOKEN" > '${file}'` });
  const token = readFileSync(file, "utf8");
  expect(token).not.toBe("");
  expect((await withKey(token)).status).toBe(403);
  expect((await changes({ "X-Service-Token": token })).status).toBe(403);
});
