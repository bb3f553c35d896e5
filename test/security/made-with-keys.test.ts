import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RemoteError } from "../../core/protocol/errors.ts";
import { Keys } from "../../main/relay/access/keys.ts";
import { openStore } from "../../main/relay/store/open-store.ts";
import { Store } from "../../main/relay/store/store.ts";
import { enterAsGuest } from "../support/guest.ts";
import { joinRelay } from "../support/scripted-client.ts";
import { startTestRelay, type TestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";

let relay: TestRelay;

beforeEach(async () => {
  relay = await startTestRelay();
});

afterEach(async () => {
  await relay[Symbol.asyncDispose]();
});

interface MadeKey {
  readonly id: string;
  readonly secret: string;
  readonly restrictions: object;
  readonly expiresAt: string | null;
  readonly madeBy?: string;
}

describe("a program with a key", () => {
  test("makes nothing that has more rights than the key, or lasts longer", async () => {
    const { keys, user } = relay.relay;
    const maker = keys.create({ owner: user, name: "loop", restrictions: { automation: true }, ttlMs: 3_600_000 });
    const [made, lasting] = [await makeKey(maker.secret), await makeKey(maker.secret, { ttl: 7_200 })];
    for (const one of [made, lasting]) {
      expect(one).toMatchObject({
        restrictions: { automation: true },
        expiresAt: maker.key.expiresAt,
        madeBy: maker.key.id,
      });
    }
    const brief = await makeKey(maker.secret, { ttl: 60 });
    expect(Date.parse(brief.expiresAt ?? "")).toBeLessThan(Date.now() + 61_000);
    // What was made hands the limits on, and so do tokens and logins.
    expect(await makeKey(made.secret)).toMatchObject({ restrictions: { automation: true }, madeBy: made.id });
    const token = await oauth(
      { grant_type: "client_credentials", scope: "plugins:install", expires_in: "86400" },
      maker.secret,
    );
    expect(token.expires_in).toBeLessThanOrEqual(3_600);
    const { device_code } = await beginLogin(maker.secret);
    const login = await exchange(device_code);
    expect(keys.list().find(({ id }) => id === login.key_id)).toMatchObject({
      restrictions: { automation: true },
      expiresAt: maker.key.expiresAt,
      madeBy: maker.key.id,
    });
    // An unrestricted key that expires makes invites and guests that expire with it.
    const visitor = keys.create({ owner: user, name: "visitor", ttlMs: 1_800_000 });
    const { invite, secret } = await makeInvite(visitor.secret);
    expect(invite).toMatchObject({ expiresAt: visitor.key.expiresAt, madeBy: visitor.key.id });
    expect((await enter(secret)).status).toBe(200);
    expect(relay.relay.guests.list(relay.session)).toMatchObject([
      { expiresAt: visitor.key.expiresAt, madeBy: visitor.key.id },
    ]);
  });

  test("leaves nothing behind that is good when the key was revoked, by whichever process", async () => {
    for (const revoke of [revokeHere, revokeElsewhere]) {
      const { secret, id } = await makeKey(relay.key);
      const child = await makeKey(secret);
      const grandchild = await makeKey(child.secret);
      await oauth({ grant_type: "client_credentials", scope: "plugins:install" }, secret);
      const pending = await beginLogin(secret);
      const unused = await makeInvite(secret, { role: "admin" });
      const used = await makeInvite(child.secret, { role: "admin", uses: 2 });
      expect((await enter(used.secret)).status).toBe(200);
      using guest = await enterAsGuest(withKey(child.secret), { role: "admin" });
      const tab = await guest.tab();

      await revoke(id);
      await until("the guest's tab to be cut", () => tab.closed !== undefined);
      for (const one of [secret, child.secret, grandchild.secret]) expect(await statusOf(one)).toBe(401);
      expect(relay.relay.keys.list().filter(({ name }) => name !== "test")).toEqual([]);
      await expect(exchange(pending.device_code)).rejects.toThrow("401");
      expect([(await enter(unused.secret)).status, (await enter(used.secret)).status]).toEqual([403, 403]);
      await expect(guest.connect()).rejects.toThrow(/401/);
      expect(relay.relay.guests.list(relay.session)).toEqual([]);
      // With the relay begins the count of refusals anew.
      await relay.restart();
    }
    expect(await statusOf(relay.key)).toBe(200);
  });

  test("for automation decides no rights and limits, its own among them", async () => {
    const { keys, user } = relay.relay;
    const { secret } = keys.create({ owner: user, name: "loop", restrictions: { automation: true } });
    await using person = await relay.join({ over: "socket", place: "desktop" });
    await using program = await joinRelay(
      { relay: relay.relay, session: relay.session, key: secret },
      { over: "socket" },
    );
    const headers = { "X-Service-Token": secret };
    const here = `/v1/sessions/${relay.session}`;
    const attempts: [string, string, object?][] = [
      ["PUT", "/v1/budgets/shell", { limit: 1e9, unit: "tokens" }],
      ["PUT", "/v1/budgets", { day: 1 }],
      ["DELETE", "/v1/budgets/day"],
      ["POST", `${here}/policies`, { allow: "reads", folder: "/tmp" }],
      ["DELETE", `${here}/policies/1`],
      ["POST", `${here}/invites`, { role: "admin" }],
      ["PATCH", `${here}/clients/${program.id}`, { role: "admin" }],
      ["PATCH", `${here}/guests/any`, { role: "admin" }],
      ["PUT", "/v1/prices", {}],
    ];
    for (const [method, path, body] of attempts) {
      const answer = await relay.request(method, path, { headers, ...(body === undefined ? {} : { body }) });
      expect([method, path, answer.headers.get("x-service-error")]).toEqual([method, path, "scope_forbids"]);
    }
    for (const [method, params] of [
      ["restrictShells", { state: "off" }],
      ["forgetAgent", { agentType: "claude", folder: "/" }],
    ] as const) {
      const answer = await relay.post({ method, params, target_client_id: person.id }, headers);
      expect([method, answer.headers.get("x-service-error")]).toEqual([method, "scope_forbids"]);
    }
    // Its client on its own account.
    for (const asked of [
      program.client.ask("restrictShells", { on: false }),
      program.client.ask("forgetAgent", { agentType: "claude", folder: "/" }),
      program.client.ask("answerAgent", { request: 1, answer: "always" }),
      program.client.ask("answerRoleRequest", { request: 1, allow: true }),
      program.client.ask("allowPlugin", { plugin: "any", methods: ["*"] }),
    ]) {
      await expect(asked).rejects.toMatchObject({ code: "scope_forbids" } satisfies Partial<RemoteError>);
    }
  });
});

async function makeKey(by: string, wanted: object = {}): Promise<MadeKey> {
  const headers = { "X-Service-Token": by };
  const { status, text } = await relay.request("POST", "/v1/keys", { headers, body: { name: "made", ...wanted } });
  expect(status).toBe(201);
  return (JSON.parse(text) as { result: MadeKey }).result;
}

async function makeInvite(by: string, wanted: object = {}) {
  const headers = { "X-Service-Token": by };
  const answer = await relay.request("POST", `/v1/sessions/${relay.session}/invites`, { headers, body: wanted });
  expect(answer.status).toBe(201);
  const { result } = JSON.parse(answer.text) as { result: { url: string; expiresAt: string; madeBy?: string } };
  return { invite: result, secret: new URL(result.url).hash.slice(1) };
}

/** Uses an invite as a browser does. */
async function enter(invite: string) {
  return relay.request("POST", `/s/${relay.session}/enter`, {
    headers: { "X-Service-Token": "", Origin: relay.url },
    body: { invite },
  });
}

/** The relay for a caller with another key. */
function withKey(key: string): TestRelay {
  const request: TestRelay["request"] = (method, path, { headers, ...options } = {}) =>
    relay.request(method, path, { ...options, headers: { "X-Service-Token": key, ...headers } });
  return { ...relay, request };
}

async function statusOf(key: string): Promise<number> {
  return (await relay.request("GET", "/v1/keys", { headers: { "X-Service-Token": key } })).status;
}

type OAuthAnswer = Readonly<Record<"device_code" | "user_code" | "key_id", string>> & { readonly expires_in: number };

/** Throws an error with the status for a refusal. */
async function oauth(fields: Record<string, string>, key = "", path = "token"): Promise<OAuthAnswer> {
  const { status, text } = await relay.request("POST", `/v1/oauth/${path}`, {
    headers: { "Content-Type": "application/x-www-form-urlencoded", "X-Service-Token": key },
    body: String(new URLSearchParams(fields)),
  });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return JSON.parse(text) as OAuthAnswer;
}

/** Begins a login, and allows it with a key. */
async function beginLogin(by: string): Promise<OAuthAnswer> {
  const begun = await oauth({ client_id: "program" }, "", "device_authorization");
  const headers = { "X-Service-Token": by };
  const answer = await relay.request("POST", `/v1/logins/${begun.user_code}`, { headers, body: { allow: true } });
  expect(answer.status).toBe(200);
  return begun;
}

function exchange(device_code: string): Promise<OAuthAnswer> {
  const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
  return oauth({ grant_type, device_code, client_id: "program" });
}

async function revokeHere(id: string): Promise<void> {
  expect((await relay.request("DELETE", `/v1/keys/${id}`)).status).toBe(200);
}

/** As `patchbay keys revoke` does, in a process of its own. */
async function revokeElsewhere(id: string): Promise<void> {
  using store = new Store(openStore(relay.folder).database);
  using keys = new Keys(store.keys);
  keys.revoke(id);
}
