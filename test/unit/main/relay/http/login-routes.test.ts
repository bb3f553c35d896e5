import { expect, test, vi } from "vitest";
import { runLocal } from "../../../../support/run-local.ts";
import type { TestRelay } from "../../../../support/test-relay.ts";
import { startPaperRelay } from "../paper-relay.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";

interface OAuthAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
}

async function ask(
  { url }: TestRelay,
  path: string,
  form: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<OAuthAnswer> {
  const response = await fetch(`${url}/v1/oauth/${path}`, {
    method: "POST",
    body: typeof form === "string" ? form : new URLSearchParams(form),
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
  });
  return { status: response.status, headers: response.headers, json: JSON.parse(await response.text()) };
}

async function begin(relay: TestRelay, more: Record<string, string> = {}) {
  const { status, json, headers } = await ask(relay, "device_authorization", { client_id: "test", ...more });
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  return { device: String(json.device_code), user: String(json.user_code), json };
}

const poll = (relay: TestRelay, device: string, client = "test") =>
  ask(relay, "token", { grant_type: GRANT, device_code: device, client_id: client });

test("a program gets a key of the user's, once, when its code was allowed", async () => {
  await using relay = await startPaperRelay();
  const { device, user, json } = await begin(relay, { device_name: "service on laptop" });
  expect(json).toMatchObject({ expires_in: 600, interval: 2, verification_uri: `${relay.url}/v1/oauth/device` });
  const page = await relay.request("GET", "/v1/oauth/device", { headers: { "X-Service-Token": "" } });
  expect([page.status, page.text]).toEqual([200, expect.stringContaining("service approve CODE")]);
  expect(relay.relay.logins.pending()).toMatchObject([{ code: user, name: "service on laptop", address: "127.0.0.1" }]);

  expect(await poll(relay, device)).toMatchObject({ status: 400, json: { error: "authorization_pending" } });
  expect(await poll(relay, device)).toMatchObject({ status: 400, json: { error: "slow_down" } });
  expect(relay.relay.logins.allow(user)).toBe(true);
  expect(await poll(relay, device, "another")).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
  const granted = await poll(relay, device);
  expect(granted).toMatchObject({ status: 200, json: { token_type: "X-Service-Token", user: relay.relay.user } });
  expect(await poll(relay, device)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });

  const key = { "X-Service-Token": String(granted.json.access_token) };
  expect(JSON.parse((await relay.request("GET", "/v1/whoami", { headers: key })).text)).toMatchObject({
    result: { user: relay.relay.user, key: { name: "login of service on laptop", restrictions: {}, expiresAt: null } },
  });
  expect(await ask(relay, "revoke", { token: String(granted.json.access_token) })).toMatchObject({ status: 200 });
  expect(await relay.request("GET", "/v1/whoami", { headers: key })).toMatchObject({ status: 401 });
  expect(await ask(relay, "revoke", { token: "pb_unknown" })).toMatchObject({ status: 200, json: {} });
});

test("a denied login, and one that nobody answered", async () => {
  await using relay = await startPaperRelay();
  const denied = await begin(relay);
  relay.relay.logins.deny(denied.user);
  expect(await poll(relay, denied.device)).toMatchObject({ status: 400, json: { error: "access_denied" } });
  const late = await begin(relay);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 600_000 });
  try {
    expect(await poll(relay, late.device)).toMatchObject({ status: 400, json: { error: "expired_token" } });
    expect(relay.relay.logins.allow(late.user)).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

test("`patchbay approve`, from a process of its own, lets in or denies", async () => {
  await using relay = await startPaperRelay();
  const approve = (...words: string[]) => runLocal("approve", ...words, "--data", relay.folder);
  const first = await begin(relay, { device_name: "laptop" });
  expect(await approve()).toMatchObject({
    code: 0,
    out: expect.stringContaining(`${first.user}  laptop  from 127.0.0.1`),
  });
  expect(await approve("AAAA-AAAA")).toMatchObject({ code: 1, err: expect.stringMatching(/No login waits/) });
  expect(await approve(first.user.toLowerCase())).toMatchObject({ code: 0 });
  expect(await approve(first.user)).toMatchObject({ code: 1 });
  expect(await poll(relay, first.device)).toMatchObject({ status: 200 });
  const second = await begin(relay);
  expect(await approve(second.user, "--deny")).toMatchObject({ code: 0 });
  expect(await poll(relay, second.device)).toMatchObject({ json: { error: "access_denied" } });
  expect(await approve("--deny")).toMatchObject({ code: 2 });
  expect(await approve()).toMatchObject({ out: "No login waits for an answer.\n" });
});

test("a login outlives the relay's restart", async () => {
  await using relay = await startPaperRelay();
  const { device, user } = await begin(relay);
  await relay.restart();
  expect(relay.relay.logins.pending()).toMatchObject([{ code: user }]);
  relay.relay.logins.allow(user);
  expect(await poll(relay, device)).toMatchObject({ status: 200 });
});

test("what is wrong with a request is said as OAuth says it", async () => {
  await using relay = await startPaperRelay();
  const wrong: [string, Record<string, string> | string, string][] = [
    ["device_authorization", {}, "invalid_request"],
    ["device_authorization", { client_id: "" }, "invalid_request"],
    ["device_authorization", "client_id=a&client_id=b", "invalid_request"],
    ["device_authorization", { client_id: "a", scope: "all" }, "invalid_scope"],
    ["token", {}, "invalid_request"],
    ["token", { grant_type: "password" }, "unsupported_grant_type"],
    ["token", { grant_type: GRANT, client_id: "a" }, "invalid_request"],
    ["token", { grant_type: GRANT, client_id: "a", device_code: "x" }, "invalid_grant"],
    ["revoke", {}, "invalid_request"],
  ];
  for (const [path, form, error] of wrong) {
    expect(await ask(relay, path, form), JSON.stringify(form)).toMatchObject({
      status: 400,
      json: { error, error_description: expect.stringMatching(/\.$/) },
    });
  }
  const asJson = await ask(relay, "token", "{}", { "Content-Type": "application/json" });
  expect(asJson).toMatchObject({ status: 415, json: { error: "invalid_request" } });
  const foreign = await fetch(`${relay.url}/v1/oauth/device_authorization`, {
    method: "POST",
    body: new URLSearchParams({ client_id: "page" }),
    headers: { Origin: "https://evil.example" },
  });
  expect(foreign.status).toBe(403);
  expect(relay.relay.logins.pending()).toEqual([]);
});

test("device codes are not guessed, and nobody is asked more than a few times", async () => {
  await using relay = await startPaperRelay();
  const statuses: number[] = [];
  for (let turn = 0; turn < 11; turn++) statuses.push((await poll(relay, `guess-${turn}`)).status);
  expect(statuses).toEqual([...Array(10).fill(400), 429]);
  const begun: number[] = [];
  for (let turn = 0; turn < 6; turn++) {
    begun.push((await ask(relay, "device_authorization", { client_id: "flood" })).status);
  }
  expect(begun).toEqual([200, 200, 200, 200, 200, 429]);
});

test("what a program says of itself is shown without tricks", async () => {
  await using relay = await startPaperRelay();
  await begin(relay, { device_name: `a\u202Eb\u0007\n\u001b[31mc${"x".repeat(200)}` });
  const [login] = relay.relay.logins.pending();
  expect(login?.name).toMatch(/^a b \[31mcx+$/);
  expect(login?.name).toHaveLength(80);
});

test("a key gets bearer tokens over the token endpoint; a shell's or restricted one does not", async () => {
  await using relay = await startPaperRelay();
  const form = { grant_type: "client_credentials", scope: "plugins:install" };
  const given = await ask(relay, "token", { ...form, expires_in: "60" }, { "X-Service-Token": relay.key });
  expect(given).toMatchObject({
    status: 200,
    json: {
      token_type: "Bearer",
      expires_in: 60,
      scope: "plugins:install",
      access_token: expect.stringMatching(/^pbt_/),
    },
  });
  const install = await relay.request("POST", `/v1/sessions/${relay.session}/plugins`, {
    body: {},
    headers: { Authorization: `Bearer ${given.json.access_token}` },
  });
  expect(install.status).toBe(400);
  expect(await ask(relay, "token", form)).toMatchObject({ status: 401, json: { error: "invalid_client" } });
  const unknown = { ...form, scope: "all" };
  expect(await ask(relay, "token", unknown, { "X-Service-Token": relay.key })).toMatchObject({
    status: 400,
    json: { error: "invalid_scope" },
  });
  const { keys, user } = relay.relay;
  const restricted = keys.create({ owner: user, name: "bot", restrictions: { readOnly: true } }).secret;
  const shell = keys.createShellToken(user, relay.session, 1 as never).token;
  for (const secret of [restricted, shell]) {
    expect(await ask(relay, "token", form, { "X-Service-Token": secret })).toMatchObject({
      status: 403,
      json: { error: "unauthorized_client" },
    });
  }
});

test("a form with too many fields is refused, and the log does not keep it", async () => {
  await using relay = await startPaperRelay();
  const body = `client_id=x&device_code=s3cret&${Array.from({ length: 60 }, (_, index) => `f${index}=1`).join("&")}`;
  const headers = { "Content-Type": "application/x-www-form-urlencoded", "X-Service-Token": "" };
  const answer = await relay.request("POST", "/v1/oauth/device_authorization", { headers, body });
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.text)).toMatchObject({ error: "invalid_request" });
  expect(relay.errors).toEqual([]);
});
