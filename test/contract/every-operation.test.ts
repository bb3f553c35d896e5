import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operationCommand } from "../../cli/commands/operation.ts";
import { allOperations } from "../../cli/parse/operation-table.ts";
import { type OperationName, operationNames, operations } from "../../core/operations/index.ts";
import { type OperationSpec, pathParams } from "../../core/operations/operation.ts";
import type { AuditEntry } from "../../core/protocol/audit.ts";
import { userCaller } from "../../main/relay/access/permits/caller.ts";
import { openApiDocument } from "../../main/relay/docs/openapi.ts";
import { startTestRelay, type TestRelay } from "../support/test-relay.ts";
import { exampleFor, exampleRequest } from "./example-operations.ts";

let relay: TestRelay;
let token: string;

beforeAll(async () => {
  relay = await startTestRelay();
  token = relay.relay.keys.create({
    owner: relay.relay.user,
    name: "token",
    scheme: "bearer",
    scopes: ["plugins:install"],
  }).secret;
});
afterAll(() => relay[Symbol.asyncDispose]());

const specOf = (name: OperationName): OperationSpec => operations[name];
const overHttp = operationNames.filter((name) => specOf(name).http !== undefined);
const onCommandLine = allOperations().filter(({ cli }) => cli !== undefined);
const changing = overHttp.filter((name) => specOf(name).effect === "change");

/** Calls an operation over HTTP, with the key given or the owner's. */
async function call(name: OperationName, { key, from }: { key?: string; from?: Record<string, unknown> } = {}) {
  const { method, path, body } = exampleRequest(name, { session: relay.session, ...(from ?? exampleFor(name)) });
  const headers: Record<string, string> =
    specOf(name).bearer === undefined
      ? { "X-Service-Token": key ?? relay.key }
      : { "X-Service-Token": "", Authorization: `Bearer ${key ?? token}` };
  return relay.request(method, path, { headers, ...(body === undefined ? {} : { body }) });
}

const entries = (): AuditEntry[] => relay.relay.audit.list({ limit: 1000, kind: "call" });

describe.each(operationNames)("%s", (name) => {
  const spec = specOf(name);

  test("is declared soundly", () => {
    const { params, http, sensitive = [], cli, effect, summary } = spec;
    const declared = Object.keys(params.shape);
    expect(declared).toEqual(expect.arrayContaining([...pathParams(http?.path ?? ""), ...sensitive]));
    expect(declared).toEqual(expect.arrayContaining([...(cli?.args ?? []), ...Object.keys(cli?.defaults ?? {})]));
    // A GET changes nothing, so a page cannot make a browser change something by a link.
    expect(http === undefined || (http.method === "GET") === (effect === "read")).toBe(true);
    expect(summary).toMatch(/^[A-Z][^.]*$/);
  });
});

test.each(overHttp)("%s is in the description, by its name", (name) => {
  const { paths } = openApiDocument({ url: "http://127.0.0.1:7717", version: "1.2.3" });
  expect(JSON.stringify(paths)).toContain(`"operationId":"${name}"`);
});

test.each(onCommandLine)("$name is on the command line, with help", async ({ summary, cli }) => {
  let out = "";
  const stream = { write: (text: string) => (out += text), isTTY: false, columns: 80 };
  const io = { args: [], stdout: stream, stderr: stream, env: {}, program: "service" } as const;
  await operationCommand(io, cli?.word ?? "", ["--help"]);
  expect(out).toContain(cli?.action ?? summary);
  for (const param of cli?.params ?? []) {
    const option = param.default === true ? `--no-${param.word}` : `--${param.word}`;
    expect(out).toContain(!param.byPosition ? option : param.required ? `<${param.word}>` : `[${param.word}]`);
  }
});

describe.each(overHttp)("%s over HTTP", (name) => {
  test("answers as it is described, and refuses what it does not declare", async () => {
    const answer = await call(name);
    expect(answer.status).not.toBe(500);
    const wrong = await call(name, { from: { ...exampleFor(name), undeclared: 1 } });
    expect([wrong.status, wrong.headers.get("x-service-error")]).toEqual(
      answer.status === 404 && pathParams(specOf(name).http?.path ?? "").includes("session") && name === "closeSession"
        ? [404, "unknown_session"]
        : [400, "invalid_params"],
    );
  });

  test("takes no call without a credential", async () => {
    expect((await call(name, { key: "pb_wrong" })).status).toBeGreaterThanOrEqual(401);
  });

  test("is open to a read-only key only where it reads", async () => {
    const { access, bearer } = specOf(name);
    if (bearer !== undefined) return expect(access).toBe("change");
    const { secret } = relay.relay.keys.create({
      owner: relay.relay.user,
      name: "reader",
      restrictions: { readOnly: true },
    });
    const answer = await call(name, { key: secret });
    const forbidden = answer.headers.get("x-service-error") === "scope_forbids";
    expect(forbidden).toBe(
      access === "change" || access === "shells" || access === "unrestricted" || access === "shell",
    );
  });

  test("is the relay owner's, or the session owner's", async () => {
    const { owner, bearer } = specOf(name);
    const scheme = bearer === undefined ? ({} as const) : ({ scheme: "bearer", scopes: [bearer] } as const);
    const { secret } = relay.relay.keys.create({ owner: "another", name: "another", ...scheme });
    const answer = await call(name, { key: secret });
    const isSessions = pathParams(specOf(name).http?.path ?? "").includes("session") && name !== "closeSession";
    expect(answer.headers.get("x-service-error") === "not_owner").toBe(owner === "relay" || isSessions);
  });
});

describe.each(changing)("%s stands in the audit log", (name) => {
  test("over HTTP, done or refused, with secrets masked", async () => {
    const before = entries()[0]?.id ?? 0;
    const answer = await call(name);
    const [entry, ...more] = entries().filter(({ id }) => id > before);
    expect(more).toEqual([]);
    const outcome = answer.status < 400 ? "ok" : answer.headers.get("x-service-error");
    expect(entry).toMatchObject({ action: name, outcome, from: expect.stringContaining("127.0.0.1") });
    expect(entry?.credential).toBe(specOf(name).bearer === undefined ? "key" : "token");
    expect(JSON.stringify(entry)).not.toContain("s3cret");
  });

  test("from the panel", async () => {
    const before = entries()[0]?.id ?? 0;
    const caller = userCaller(relay.relay.user, "panel");
    const params = {
      ...("session" in specOf(name).params.shape ? { session: relay.session } : {}),
      ...exampleFor(name),
    };
    const outcome = await relay.relay.calls.run(caller, name, params).then(
      () => "ok",
      (error: { code?: string }) => error.code,
    );
    expect(entries().filter(({ id }) => id > before)).toMatchObject([
      { action: name, outcome, from: "panel", credential: "user", who: relay.relay.user },
    ]);
  });
});
