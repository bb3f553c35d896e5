import { afterAll, beforeAll, expect, test } from "vitest";
import { type MethodName, specs } from "../../core/commands/specs.ts";
import type { OperationName } from "../../core/operations/index.ts";
import { pathParams } from "../../core/operations/operation.ts";
import type { Procedure } from "../../core/procedures/index.ts";
import { selectTools } from "../../main/relay/mcp/profiles.ts";
import { exampleFor } from "./example-operations.ts";
import { exampleParams } from "./example-params.ts";
import { type CallerName, openRightsLab, type RightsLab } from "./rights-lab.ts";

/**
 * Every declaration as a tool: two relays that are alike get the same calls in the same order, one over HTTP and one over the
 * Model Context Protocol. Whatever a caller gets or is refused over the one, it gets or is refused over the other.
 */

/** Those between whom the rights differ most; rights.txt has all. */
const callers = ["pattern", "restr.sh", "guest.sh", "ownshell", "owner"] as const satisfies readonly CallerName[];

let http: RightsLab;
let mcp: RightsLab;
beforeAll(async () => {
  http = await openRightsLab();
  mcp = await openRightsLab();
});
afterAll(async () => {
  await http[Symbol.asyncDispose]();
  await mcp[Symbol.asyncDispose]();
});

test("every tool answers what HTTP answers, to every kind of caller", { timeout: 300_000 }, async () => {
  const connections = new Map<CallerName, string>();
  for (const caller of callers) connections.set(caller, await begin(mcp, caller));
  const { procedures } = selectTools("all");
  expect(procedures.length).toBeGreaterThan(120);
  let results = 0;
  for (const procedure of procedures) {
    for (const caller of callers) {
      const posted = await post(http, caller, procedure);
      const told = await callTool(mcp, { caller, connection: connections.get(caller) ?? "", procedure });
      expect([procedure.name, caller, told]).toEqual([procedure.name, caller, posted]);
      if (!posted.startsWith("refused")) results += 1;
    }
    http.resetLayout();
    mcp.resetLayout();
  }
  expect(results).toBeGreaterThan(100);
});

function paramsOf(lab: RightsLab, { kind, name, spec }: Procedure): Readonly<Record<string, unknown>> {
  if (kind === "command") return exampleParams[name as MethodName];
  const given = {
    ...exampleFor(name as OperationName),
    ...(pathParams(spec.http.path).includes("session") && { session: lab.relay.session }),
  };
  // Nobody who is needed for the next call.
  return "client" in given ? { ...given, client: 999 } : given;
}

function aimOf(lab: RightsLab, { kind, name }: Procedure): number | undefined {
  return kind === "operation" || specs[name as MethodName].untargeted === true ? undefined : lab.clients.admin;
}

async function post(lab: RightsLab, caller: CallerName, procedure: Procedure): Promise<string> {
  const target = aimOf(lab, procedure);
  const { session: _, ...params } = { session: undefined, ...paramsOf(lab, procedure) };
  const response = await fetch(`${lab.relay.url}/v1/sessions/${lab.relay.session}/remote/command`, {
    method: "POST",
    headers: { "X-Service-Token": lab.secrets[caller], "Content-Type": "application/json" },
    body: JSON.stringify({ method: procedure.name, params, ...(target !== undefined && { target_client_id: target }) }),
  });
  const text = await response.text();
  const code = response.headers.get("x-service-error");
  if (code !== null) return alike(lab, `refused ${code}: ${text.trim()}`);
  return alike(lab, JSON.stringify((JSON.parse(text) as { result?: unknown }).result ?? null));
}

interface ToolCall {
  readonly caller: CallerName;
  readonly connection: string;
  readonly procedure: Procedure;
}

async function callTool(lab: RightsLab, { caller, connection, procedure }: ToolCall): Promise<string> {
  const client = aimOf(lab, procedure);
  const { session } = lab.relay;
  const args = {
    ...paramsOf(lab, procedure),
    ...(procedure.kind === "command" && { session }),
    ...(client !== undefined && { client }),
  };
  const { text } = await rpc(lab, {
    caller,
    connection,
    method: "tools/call",
    params: { name: procedure.name, arguments: args },
  });
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? "";
  const { result } = JSON.parse(data) as { result: { content: { text: string }[]; isError?: boolean } };
  const said = result.content[0]?.text ?? "";
  return alike(lab, result.isError === true ? `refused ${said.trim()}` : said);
}

/** Introduces a client, and returns the id of its connection. */
async function begin(lab: RightsLab, caller: CallerName): Promise<string> {
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  return (await rpc(lab, { caller, connection: undefined, method: "initialize", params })).connection;
}

interface Rpc {
  readonly caller: CallerName;
  readonly connection: string | undefined;
  readonly method: string;
  readonly params: object;
}

async function rpc(lab: RightsLab, { caller, connection, method, params }: Rpc) {
  const response = await fetch(`${lab.relay.url}/v1/mcp?tools=all`, {
    method: "POST",
    headers: {
      ...{ "X-Service-Token": lab.secrets[caller], "Content-Type": "application/json" },
      Accept: "application/json, text/event-stream",
      ...(connection !== undefined && { "Mcp-Session-Id": connection }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return { connection: response.headers.get("mcp-session-id") ?? "", text: await response.text() };
}

/** Leaves out what differs between two relays that are alike: names that are made up, times, counters. */
function alike({ relay }: RightsLab, text: string): string {
  return text
    .replaceAll(relay.session, "SESSION")
    .replaceAll(relay.folder, "FOLDER")
    .replaceAll(new URL(relay.url).port, "PORT")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/"(\w*(?:at|ms|since|seq|used|last|bytes|pid|uptime|duration|cpu|memory)\w*)":-?[\d.]+/gi, '"$1":0')
    .replaceAll(/\b[\w-]*\d[\w-]{7,}\b|\b[\w-]{16,}\b/g, "NAME");
}
