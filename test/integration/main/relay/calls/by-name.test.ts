import { afterEach, beforeEach, expect, test } from "vitest";
import { operationNames } from "../../../../../core/operations/index.ts";
import type { AuditEntry } from "../../../../../core/protocol/audit.ts";
import { startTestRelay, type TestRelay } from "../../../../support/test-relay.ts";

let relay: TestRelay;
beforeEach(async () => {
  relay = await startTestRelay();
});
afterEach(() => relay[Symbol.asyncDispose]());

const resultOf = ({ text }: { text: string }): unknown => (JSON.parse(text) as { result: unknown }).result;
const entries = (): AuditEntry[] => relay.relay.audit.list({ limit: 100, kind: "call" });

test("remote/command knows every operation by its name", async () => {
  const codes = await Promise.all(
    operationNames.map(async (method) =>
      (await relay.post({ method, params: { none: 1 } })).headers.get("x-service-error"),
    ),
  );
  expect(codes.filter((code) => code === "unknown_method")).toEqual([]);
});

test("an operation answers by its name as by its path, in the session of the path, without a client", async () => {
  const byName = await relay.post({ method: "getQuestions", params: { closed: true } });
  expect([byName.status, byName.headers.get("x-service-client")]).toEqual([200, null]);
  const byPath = await relay.request("GET", `/v1/sessions/${relay.session}/questions?closed=true`);
  expect(byName.text).toBe(byPath.text);
  expect(resultOf(await relay.post({ method: "whoAmI", params: {} }))).toMatchObject({ user: relay.relay.user });
});

test.each([
  ["sendPrompt", { shellId: 1 }, "params.text"],
  ["getQuestions", { shells: 1 }, "no such parameter; expected one of session"],
  ["getQuestions", { session: "another" }, "params.session"],
])("%s with %j is refused by its declaration", async (method, params, words) => {
  const { status, text, headers } = await relay.post({ method, params });
  expect([status, headers.get("x-service-error")]).toEqual([400, "invalid_params"]);
  expect(text).toContain(words);
});

test("an operation cannot be aimed at a client", async () => {
  const { headers, text } = await relay.post({ method: "getQuestions", params: {}, target_client_id: 1 });
  expect([headers.get("x-service-error"), text]).toEqual(["invalid_request", expect.stringContaining("getQuestions")]);
});

test("an operation that takes a bearer token takes it here too, beside the key", async () => {
  const call = { method: "installPlugin", params: { manifest_url: "http://10.0.0.1/", plugin_id: "example" } };
  const without = await relay.post(call);
  expect([without.status, without.headers.get("www-authenticate")]).toEqual([401, expect.stringContaining("Bearer")]);
  const token = { owner: relay.relay.user, name: "token", scheme: "bearer", scopes: ["plugins:install"] } as const;
  const { secret } = relay.relay.keys.create(token);
  const tried = await relay.post(call, { Authorization: `Bearer ${secret}` });
  expect(tried.headers.get("x-service-error")).not.toBe("unauthenticated");
  expect(tried.status).not.toBe(401);
});

test("a change by name has one audit entry, under that name, with its parameters masked", async () => {
  const prompt = { session: relay.session, shellId: 1, text: "s3cret" };
  expect((await relay.post({ method: "sendPrompt", params: prompt })).status).toBe(404);
  expect(entries()).toMatchObject([
    {
      action: "sendPrompt",
      outcome: "unknown_shell",
      session: relay.session,
      params: { shellId: 1, text: "(6 characters)" },
      credential: "key",
      client: null,
    },
  ]);
});

test("a refused name is recorded, and a call that only reads is not", async () => {
  await relay.post({ method: "nothing", params: { text: "s3cret" } });
  await relay.post({ method: "listKeys", params: {} });
  expect(entries()).toMatchObject([{ action: "nothing", outcome: "unknown_method", params: {} }]);
});

test("a repeated call with an Idempotency-Key makes one key, whose secret is stored nowhere", async () => {
  const create = () => relay.post({ method: "createKey", params: { name: "ci" } }, { "Idempotency-Key": "one" });
  const [first, second] = [await create(), await create()];
  expect([second.text, second.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
  expect(relay.relay.keys.list().filter(({ name }) => name === "ci")).toHaveLength(1);
  expect(entries().map(({ action }) => action)).toEqual(["createKey"]);
  await relay.restart();
  const afterRestart = await create();
  expect(afterRestart.headers.get("x-service-error")).toBe("idempotency_unknown");
  expect(relay.relay.keys.list().filter(({ name }) => name === "ci")).toHaveLength(1);
});

test("an operation that was refused may be repeated with the same Idempotency-Key; one that was executed keeps its answer", async () => {
  const create = () => relay.post({ method: "renameSession", params: { name: "work" } }, { "Idempotency-Key": "two" });
  const [first] = [await create()];
  await relay.restart();
  const again = await create();
  expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
  const refused = () => relay.post({ method: "revokeKey", params: { key: "later" } }, { "Idempotency-Key": "three" });
  expect((await refused()).headers.get("x-service-error")).toBe("unknown_key");
  relay.relay.keys.create({ owner: relay.relay.user, name: "later" });
  expect((await refused()).status).toBe(200);
});
