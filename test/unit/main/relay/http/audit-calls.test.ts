import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AuditEntry } from "../../../../../core/protocol/audit.ts";
import type { TestRelay } from "../../../../support/test-relay.ts";
import { until } from "../../../../support/until.ts";
import { startPaperRelay } from "../paper-relay.ts";

let relay: TestRelay;
beforeEach(async () => {
  relay = await startPaperRelay();
});
afterEach(() => relay[Symbol.asyncDispose]());

/** The entries of requests, oldest first. */
const entries = (): AuditEntry[] =>
  relay.relay.audit
    .list({ limit: 100, kind: "call" })
    .filter(({ action }) => /^[A-Z]+ \//.test(action))
    .reverse();
const told = () => entries().map(({ action, outcome, session, who }) => [action, outcome, session, who]);

test("a request that may change something and calls no procedure is recorded by its code, without its query", async () => {
  await relay.request("POST", `/v1/sessions/${relay.session}/nothing?secret=x`, { body: {} });
  await until("the entry", () => entries().length === 1);
  expect(told()).toEqual([[`POST /v1/sessions/${relay.session}/nothing`, "unknown_route", relay.session, null]]);
  expect(entries()[0]).toMatchObject({ from: "127.0.0.1", params: {}, client: null });
  expect(entries()[0]?.durationMs).toBeLessThan(60_000);
});

test("reads, calls of procedures, and failed authentications have no such entry", async () => {
  await using _client = await relay.join();
  for (const method of ["GET", "HEAD", "OPTIONS"]) await relay.request(method, "/v1/nothing");
  await relay.command("getRole");
  await relay.request("POST", "/v1/sessions", { body: { name: "x" } });
  await relay.request("POST", "/v1/sessions", { body: { name: "x" }, headers: { "X-Service-Token": "pb_wrong" } });
  await relay.request("POST", "/v1/oauth/token", { headers: { "Content-Type": "text/plain" }, body: "x" });
  await relay.request("PUT", "/v1/nothing", { body: {} });
  await until("the last one", () => told().some(([action]) => action === "PUT /v1/nothing"));
  expect(told().map(([action]) => action)).toEqual(["PUT /v1/nothing"]);
});

test("a login that begins is recorded, and so is a guest who enters, under the session", async () => {
  const form = new URLSearchParams({ client_id: "test" });
  await fetch(`${relay.url}/v1/oauth/device_authorization`, { method: "POST", body: form });
  const { secret } = relay.relay.invites.create({ session: relay.session, role: "reader", uses: 1, ttlMs: 60_000 });
  const enter = `/s/${relay.session}/enter`;
  await relay.request("POST", enter, { body: { invite: secret, name: "bob" }, headers: { "X-Service-Token": "" } });
  await relay.request("POST", enter, { body: { invite: "pbi_wrong" }, headers: { "X-Service-Token": "" } });
  await until("the entries", () => entries().length === 3);
  expect(told()).toEqual([
    ["POST /v1/oauth/device_authorization", "ok", null, null],
    [`POST ${enter}`, "ok", relay.session, null],
    [`POST ${enter}`, "invite_spent", relay.session, null],
  ]);
});

test("a caller that is gone before its answer is recorded as cut", async () => {
  const { hostname, port } = new URL(relay.url);
  const path = `/s/${relay.session}/enter`;
  const lines = [`POST ${path} HTTP/1.1`, `Host: ${hostname}:${port}`, "Content-Type: application/json"];
  const socket = connect(Number(port), hostname);
  socket.write(`${[...lines, "Content-Length: 100", "Expect: 100-continue"].join("\r\n")}\r\n\r\n`);
  // The relay has the request.
  await once(socket, "data");
  socket.destroy();
  await until("the entry", () => entries().length === 1);
  expect(told()).toEqual([[`POST ${path}`, "cut", relay.session, null]]);
});

test("each accepted and refused credential is recorded with its kind", async () => {
  const { keys, user, audit } = relay.relay;
  const bearer = keys.create({ owner: user, name: "t", scheme: "bearer", scopes: ["plugins:install"] }).secret;
  const plugins = `/v1/sessions/${relay.session}/plugins`;
  await relay.request("GET", "/v1/whoami");
  await relay.request("POST", plugins, {
    body: {},
    headers: { "X-Service-Token": "", Authorization: `Bearer ${bearer}` },
  });
  await relay.request("GET", "/v1/whoami", { headers: { "X-Service-Token": "pb_wrong" } });
  const known = audit.list({ limit: 10, kind: "authentication" }).reverse();
  expect(known.map(({ who, credential, action, outcome, from }) => [who, credential, action, outcome, from])).toEqual([
    ["test", "key", "X-Service-Token", "ok", "127.0.0.1"],
    ["t", "token", "Authorization: Bearer", "ok", "127.0.0.1"],
    [null, "none", "authentication", "unauthenticated", "127.0.0.1"],
  ]);
});
