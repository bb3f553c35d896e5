import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MethodName, methodNames } from "../../core/commands/specs.ts";
import { type OperationName, operationNames, operations } from "../../core/operations/index.ts";
import { type OperationSpec, pathParams } from "../../core/operations/operation.ts";
import { procedureOf } from "../../core/procedures/index.ts";
import { connectMcp, refusalCode, textOf } from "../support/mcp-client.ts";
import type { Answer } from "../support/test-relay.ts";
import { isRead, isUntargeted, untilEqual, withoutChance } from "./equal-answers.ts";
import { exampleFor, exampleRequest } from "./example-operations.ts";
import { exampleParams } from "./example-params.ts";
import { type PreparedSession, prepareFor, prepareSession, prepareSessionFor } from "./prepare-session.ts";
import { openRightsLab, type RightsLab } from "./rights-lab.ts";

/**
 * Every declaration by both doors: a tool of MCP answers what HTTP answers to the same caller. What reads is asked twice
 * in one session; what changes something, in two equal ones. How far callers may go is compared by refusals.
 */

const isOperation = (name: OperationName) => procedureOf(name)?.kind === "operation";
const specOf = (name: OperationName): OperationSpec => operations[name];
/** A bearer token is no API key, and an agent's hooks are no calls of a model. */
const isTool = (name: OperationName) =>
  specOf(name).bearer === undefined && (specOf(name).access !== "shell" || specOf(name).cli !== undefined);
const tools = operationNames.filter((name) => isOperation(name) && isTool(name));

interface Client {
  readonly mcp: Awaited<ReturnType<typeof connectMcp>>;
  readonly session: PreparedSession;
}

test("tools are every command, and every operation that takes an API key", async () => {
  await using session = await prepareSession();
  await using mcp = await connectMcp(session.relay, { tools: "all" });
  const { tools: listed } = await mcp.client.listTools();
  expect(listed.map(({ name }) => name).toSorted()).toEqual([...methodNames, ...tools].toSorted());
});

describe("every command that reads", () => {
  let client: Client;
  beforeAll(async () => {
    client = await connected();
  });
  afterAll(() => close(client));

  test.each(methodNames.filter(isRead))("%s", async (method) => {
    const target = client.session.client.id;
    const [http, mcp] = await untilEqual(async () => [
      await commandByHttp(client, method, target),
      await commandByMcp(client, method, target),
    ]);
    expect(mcp).toEqual(http);
    expect(http.code).toBe("ok");
  });
});

describe("every command that changes something, in two equal sessions", () => {
  test.each(methodNames.filter((method) => !isRead(method)))("%s", async (method) => {
    const [http, mcp] = await Promise.all(
      [commandByHttp, commandByMcp].map(async (call) => {
        const client = await connected(await prepareSessionFor(method));
        await using _ = { [Symbol.asyncDispose]: () => close(client) };
        await prepareFor(method, client.session);
        return await call(client, method, isUntargeted(method) ? undefined : client.session.client.id);
      }),
    );
    expect(mcp).toEqual(http);
    expect(http?.code).toBe("ok");
  });
});

describe("every operation", () => {
  let clients: readonly [Client, Client];
  beforeAll(async () => {
    clients = await Promise.all([connected(), connected()]);
  });
  afterAll(() => Promise.all(clients.map(close)));

  test.each(tools)("%s", async (name) => {
    const [byHttp, other] = clients;
    const reads = specOf(name).effect === "read";
    const ask = async (): Promise<[Called, Called]> => [
      await operationByHttp(byHttp, name),
      await operationByMcp(reads ? byHttp : other, name),
    ];
    const [http, mcp] = reads ? await untilEqual(ask) : await ask();
    expect(mcp).toEqual(http);
    expect(http.code).not.toBe("internal");
  });
});

describe("rights of a tool are those of the HTTP call", () => {
  let lab: RightsLab;
  beforeAll(async () => {
    lab = await openRightsLab();
  });
  afterAll(() => lab[Symbol.asyncDispose]());

  /** Every other answer, an error of the parameters among them, means that the caller may call it. */
  const refusals = new Set(["unauthenticated", "too_many_failures", "scope_forbids", "role_forbids", "not_owner"]);
  const refusal = (code: string) => (refusals.has(code) ? code : "allowed");
  const callers = ["readonly", "restr.sh", "owner"] as const;

  test.each([...methodNames, ...tools])("%s", async (name) => {
    const procedure = procedureOf(name);
    const before = lab.state();
    const seen = [];
    for (const caller of callers) {
      const { ask, args } = procedure?.kind === "command" ? command(procedure.name) : operation(name as OperationName);
      const byHttp = refusal(await lab.call(caller, ask));
      const byMcp = refusal(await lab.callTool(caller, name, args));
      seen.push([caller, byHttp, byMcp]);
    }
    expect(seen).toEqual(seen.map(([caller, byHttp]) => [caller, byHttp, byHttp]));
    lab.resetLayout();
    // The calls have changed what the next ones rest on.
    if (lab.state() !== before) {
      await lab[Symbol.asyncDispose]();
      lab = await openRightsLab();
    }
  });

  function command(method: MethodName) {
    const { session } = lab.relay;
    const params = exampleParams[method];
    const target = isUntargeted(method) ? undefined : lab.clients.admin;
    return {
      ask: {
        method: "POST",
        path: `/v1/sessions/${session}/remote/command`,
        body: { method, params, ...(target === undefined ? {} : { target_client_id: target }) },
      },
      args: { ...params, session, ...(target === undefined ? {} : { client: target }) },
    };
  }

  function operation(name: OperationName) {
    const given = argumentsOf(name, lab.relay.session);
    // Nobody who is needed for the next call.
    const args = "client" in given ? { ...given, client: 999 } : given;
    return { ask: exampleRequest(name, args), args };
  }
});

/** What a call has led to: the result, or the sentence of its refusal. */
interface Called {
  readonly code: string;
  readonly value: unknown;
}

async function connected(prepared?: PreparedSession): Promise<Client> {
  const session = prepared ?? (await prepareSession());
  return { session, mcp: await connectMcp(session.relay, { tools: "all" }) };
}

async function close({ mcp, session }: Client): Promise<void> {
  await mcp[Symbol.asyncDispose]();
  await session[Symbol.asyncDispose]();
}

async function commandByHttp({ session: { relay } }: Client, method: MethodName, target: number | undefined) {
  const targeted = target === undefined ? {} : { target_client_id: target };
  return httpResult(relay, await relay.post({ method, params: exampleParams[method], ...targeted }));
}

async function commandByMcp({ session, mcp }: Client, method: MethodName, target: number | undefined) {
  const { relay } = session;
  const targeted = target === undefined ? {} : { client: target };
  return toolResult(relay, await mcp.call(method, { ...exampleParams[method], ...targeted, session: relay.session }));
}

async function operationByHttp({ session: { relay } }: Client, name: OperationName): Promise<Called> {
  const { method, path, body } = exampleRequest(name, argumentsOf(name, relay.session));
  return httpResult(relay, await relay.request(method, path, body === undefined ? {} : { body }));
}

async function operationByMcp({ session: { relay }, mcp }: Client, name: OperationName): Promise<Called> {
  return toolResult(relay, await mcp.call(name, argumentsOf(name, relay.session)));
}

function argumentsOf(name: OperationName, session: string): Readonly<Record<string, unknown>> {
  // An example of its own names the session that it is for.
  return { ...(pathParams(specOf(name).http.path).includes("session") ? { session } : {}), ...exampleFor(name) };
}

function httpResult(relay: PreparedSession["relay"], { status, text, headers }: Answer): Called {
  if (status >= 400) return refused(relay, headers.get("x-service-error") ?? "", text.trim());
  const { result } = JSON.parse(text) as { result: unknown };
  return withoutChance({ code: "ok", value: result ?? null }, relay);
}

function toolResult(relay: PreparedSession["relay"], answer: { readonly [name: string]: unknown }): Called {
  const text = textOf(answer);
  if (answer.isError === true) {
    const code = refusalCode(answer);
    return refused(relay, code, text.slice(code.length + 2));
  }
  const value: unknown = JSON.parse(text);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  expect(answer.structuredContent).toEqual(isObject ? value : { result: value });
  return withoutChance({ code: "ok", value }, relay);
}

function refused(relay: PreparedSession["relay"], code: string, sentence: string): Called {
  // An operation's parameters stand in the path, the query or the body of a request, and among the arguments of a tool.
  return withoutChance({ code, value: sentence.replace(/^(?:path|query|body|params)\./, "params.") }, relay);
}
