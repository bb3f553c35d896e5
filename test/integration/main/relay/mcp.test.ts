import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pathParams } from "../../../../core/operations/operation.ts";
import { listProcedures, onlyReads } from "../../../../core/procedures/index.ts";
import { connectMcp, textOf } from "../../../support/mcp-client.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

let relay: TestRelay;

beforeAll(async () => {
  relay = await startTestRelay();
  await relay.join();
});
afterAll(() => relay[Symbol.asyncDispose]());

const connect = (options: Parameters<typeof connectMcp>[1] = {}) => connectMcp(relay, options);

describe("a program that speaks MCP", () => {
  test("makes a shell, runs a command in it and reads its exit code and output", async () => {
    await using mcp = await connect();
    const made = await mcp.call("createShell");
    const { shellId, key } = made.structuredContent as { shellId: number; key: number };
    const ran = await mcp.call("runCommand", {
      tile: key,
      command: "echo said-$((40+2)); exit_3() { return 3; }; exit_3",
      wait: true,
    });
    expect(ran.structuredContent).toMatchObject({ exitCode: 3, output: expect.stringContaining("said-42") });
    expect(JSON.parse(textOf(ran))).toEqual(ran.structuredContent);
    const uri = `patchbay://sessions/${relay.session}/shells/${shellId}`;
    const { resources } = await mcp.client.listResources();
    expect(resources.map((one) => one.uri)).toContain(uri);
    const { contents } = await mcp.client.readResource({ uri });
    expect(contents[0]).toMatchObject({ mimeType: "text/plain", text: expect.stringContaining("said-42") });
  });

  test("is answered a refusal in words, and an unknown tool as an error with the nearest name", async () => {
    await using mcp = await connect();
    const refused = await mcp.call("closeTile", { tile: 999 });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/^unknown_tile: /);
    const invalid = await mcp.call("waitFor", { text: 7 });
    expect([invalid.isError, textOf(invalid)]).toEqual([true, expect.stringMatching(/^invalid_params: params\.text/)]);
    await expect(mcp.call("closeTiles")).rejects.toThrow(/no tool "closeTiles".*closeTile/);
    await expect(mcp.client.readResource({ uri: "patchbay://sessions/x" })).rejects.toThrow(/no resource/);
  });

  test("gets the answer that HTTP gives, for every procedure that reads and needs nothing", async () => {
    await using mcp = await connect({ tools: "all" });
    const session = relay.session;
    const reads = listProcedures().filter(
      (one) =>
        onlyReads(one) &&
        one.spec.params.safeParse(one.kind === "command" ? {} : { session }).success &&
        (one.kind === "command" || (one.spec.bearer === undefined && pathParams(one.spec.http.path).length <= 1)),
    );
    expect(reads.length).toBeGreaterThan(30);
    for (const { name } of reads) {
      const posted = await relay.post({ method: name, params: {} });
      const answered = await mcp.call(name);
      expect([name, answered.isError ?? false]).toEqual([name, posted.status >= 400]);
      if (answered.isError === true) {
        expect([name, textOf(answered)]).toEqual([name, expect.stringContaining(posted.text.trim())]);
        continue;
      }
      const { result } = JSON.parse(posted.text) as { result: unknown };
      expect([name, masked(JSON.parse(textOf(answered)))]).toEqual([name, masked(result)]);
    }
  });

  test("ends a command's wait in the relay by cancelling the call, and by going away", async () => {
    await using watch = await connect({ tools: "audit" });
    const outcomes = async () => {
      const { structuredContent } = await watch.call("audit", { outcome: "client_gone" });
      return (structuredContent as { result: unknown[] }).result.length;
    };
    const before = await outcomes();
    await using mcp = await connect();
    const { structuredContent } = await mcp.call("createShell");
    const { key: tile } = structuredContent as { key: number };
    const leave = new AbortController();
    const waiting = mcp.client.callTool(
      { name: "runCommand", arguments: { tile, command: "sleep 600", wait: true, timeout: 600 } },
      undefined,
      { signal: leave.signal },
    );
    await until("the command to run", async () =>
      JSON.stringify((await mcp.call("getShells")).structuredContent).includes("sleep"),
    );
    leave.abort();
    await expect(waiting).rejects.toThrow();
    await until("the wait to end", async () => (await outcomes()) === before + 1);
  });
});

describe("the MCP endpoint", () => {
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  };
  const headers = { Accept: "application/json, text/event-stream", "Content-Type": "application/json" };
  const begin = async (more: Record<string, string> = {}) =>
    relay.request("POST", "/v1/mcp", {
      headers: { "X-Service-Token": relay.key, ...headers, ...more },
      body: initialize,
    });

  test("asks for a key, refuses foreign pages, other media types and unknown tools", async () => {
    expect((await begin({ "X-Service-Token": "" })).status).toBe(401);
    expect((await begin({ Origin: "https://evil.example" })).status).toBe(403);
    expect((await begin({ "Content-Type": "text/plain" })).status).toBe(415);
    const odd = await relay.request("POST", "/v1/mcp?tools=getShels", { headers, body: initialize });
    expect([odd.status, odd.text]).toEqual([400, expect.stringContaining("Did you mean getShells?")]);
  });
});

/** What differs from call to call: times, ages, counters. */
function masked(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, one: unknown) =>
      /at$|ms$|since|seq|used|last|count|times|bytes/i.test(name) ? "…" : one,
    ) ?? "null",
  );
}
