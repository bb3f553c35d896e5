import { connect as connectSocket } from "node:net";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answer, decision, event, list, openShell, report } from "../../../support/agent-questions.ts";
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

describe("a client that asks its person", () => {
  type Elicit = NonNullable<NonNullable<Parameters<typeof connectMcp>[1]>["elicit"]>;
  const ask = async (command: string, elicit: Elicit) => {
    const { token } = await openShell(relay, `token-${command.replace(" ", "-")}`);
    const mcp = await connect({ elicit });
    const output = report(relay, token, event("PermissionRequest", command), command);
    return { mcp, output };
  };

  test("puts an agent's question to them, and their answer reaches the agent", async () => {
    const shown: unknown[] = [];
    const { mcp, output } = await ask("make one", async (params) => {
      shown.push(params);
      return { action: "accept", content: { option: "yes" } };
    });
    await using _ = { [Symbol.asyncDispose]: () => mcp.client.close() };
    expect(JSON.parse(await output)).toMatchObject(decision("allow"));
    expect(shown).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/claude in shell \d+ asks.*make one.*Risk: /s),
        requestedSchema: expect.objectContaining({
          properties: expect.objectContaining({ option: expect.objectContaining({ enum: expect.any(Array) }) }),
        }),
      }),
    ]);
  });

  test("takes it back when it is answered elsewhere, and leaves it open when they decline", async () => {
    let isTakenBack = false;
    const { mcp, output } = await ask("make two", (_params, signal) => {
      return new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          isTakenBack = true;
          resolve({ action: "cancel" });
        }),
      );
    });
    await using declining = await connect({ elicit: async () => ({ action: "decline" }) });
    await using _ = { [Symbol.asyncDispose]: () => mcp.client.close() };
    const question = await until("the question", async () => (await list(relay)).find(({ state }) => state === "open"));
    expect((await declining.call("getQuestions")).isError).toBeUndefined();
    expect((await answer(relay, question.id, { option: "no" })).status).toBe(200);
    expect(JSON.parse(await output)).toMatchObject(decision("deny"));
    await until("the client to be told", () => isTakenBack);
  });
});

test("a client that is shown no secrets is not asked what is hidden from it", async () => {
  const { token } = await openShell(relay, "token-masked");
  const { secret } = relay.relay.keys.create({
    ...{ owner: relay.relay.user, name: "shown no secrets" },
    restrictions: { secrets: "hide" },
  });
  const shown: string[] = [];
  await using _mcp = await connect({
    token: secret,
    elicit: async ({ message }) => {
      shown.push(message);
      return { action: "accept", content: { option: "yes" } };
    },
  });
  const [begin, end] = ["-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"];
  const masked = report(relay, token, event("PermissionRequest", `: '${begin}'; make bad; : '${end}'`), "masked");
  const plain = report(relay, token, event("PermissionRequest", "make good"), "plain");
  expect(JSON.parse(await plain)).toMatchObject(decision("allow"));
  const open = await until("the question", async () => (await list(relay)).find(({ state }) => state === "open"));
  expect(shown).toEqual([expect.stringContaining("make good")]);
  await answer(relay, open.id, { option: "no" });
  expect(JSON.parse(await masked)).toMatchObject(decision("deny"));
});

describe("a client that watches a resource", () => {
  test("hears of new output, a few times however much it is, and no more once it has unsubscribed", async () => {
    await using mcp = await connect();
    const { structuredContent } = await mcp.call("createShell");
    const { shellId, key: tile } = structuredContent as { shellId: number; key: number };
    const uri = `patchbay://sessions/${relay.session}/shells/${shellId}`;
    const heard: string[] = [];
    mcp.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
    await mcp.client.subscribeResource({ uri });
    await mcp.call("runCommand", { tile, command: "seq 20000", wait: true });
    await until("the change", () => heard.length > 0);
    expect(new Set(heard)).toEqual(new Set([uri]));
    expect(heard.length).toBeLessThan(20);
    await mcp.client.unsubscribeResource({ uri });
    const before = heard.length;
    await mcp.call("runCommand", { tile, command: "echo more", wait: true });
    expect(heard.length).toBe(before);
    await expect(mcp.client.subscribeResource({ uri: uri.replace(/\d+$/, "9999") })).rejects.toThrow(/unknown_shell/);
    await expect(mcp.client.subscribeResource({ uri: "patchbay://nowhere" })).rejects.toThrow(/no resource/);
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

  /** Answers of the protocol's own library are not those of the API's description. */
  const raw = async ({ url, key }: TestRelay, body: object, more: Record<string, string> = {}) => {
    const response = await fetch(`${url}/v1/mcp`, {
      method: "POST",
      headers: { "X-Service-Token": key, ...headers, ...more },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };

  test("asks for a key, refuses foreign pages, other media types and unknown tools", async () => {
    expect((await begin({ "X-Service-Token": "" })).status).toBe(401);
    expect((await begin({ Origin: "https://evil.example" })).status).toBe(403);
    expect((await begin({ "Content-Type": "text/plain" })).status).toBe(415);
    const odd = await relay.request("POST", "/v1/mcp?tools=getShels", { headers, body: initialize });
    expect([odd.status, odd.text]).toEqual([400, expect.stringContaining("Did you mean getShells?")]);
  });

  test("answers in the revision that the client speaks, the newest for an unknown one, and refuses to change it", async () => {
    const revision = async (protocolVersion: string) => {
      const { text } = await raw(relay, { ...initialize, params: { ...initialize.params, protocolVersion } });
      return /"protocolVersion":"([^"]+)"/.exec(text)?.[1];
    };
    for (const one of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) expect(await revision(one)).toBe(one);
    expect(await revision("1999-01-01")).toBe("2025-11-25");
    const begun = await begin();
    const id = begun.headers.get("mcp-session-id") ?? "";
    const more = { "Mcp-Session-Id": id, "MCP-Protocol-Version": "1999-01-01" };
    const odd = await raw(relay, { jsonrpc: "2.0", id: 2, method: "tools/list" }, more);
    expect([odd.status, odd.text]).toEqual([400, expect.stringContaining("Unsupported protocol version")]);
  });

  test("serves connections of two revisions at once, each in its own, and no second introduction on one", async () => {
    const open = async (protocolVersion: string) => {
      const begun = await relay.request("POST", "/v1/mcp", {
        headers,
        body: { ...initialize, params: { ...initialize.params, protocolVersion } },
      });
      return { "Mcp-Session-Id": begun.headers.get("mcp-session-id") ?? "", "MCP-Protocol-Version": protocolVersion };
    };
    const connections = await Promise.all(["2024-11-05", "2025-11-25"].map(open));
    const call = (id: number, more: Record<string, string>) =>
      raw(relay, { jsonrpc: "2.0", id, method: "tools/call", params: { name: "getShells", arguments: {} } }, more);
    const answers = await Promise.all(connections.flatMap((more) => [call(2, more), call(3, more)]));
    for (const more of connections) {
      const again = await raw(relay, { ...initialize, id: 4 }, more);
      expect([again.status, again.text]).toEqual([400, expect.stringContaining("already initialized")]);
      answers.push(await call(5, more));
    }
    expect(answers.filter(({ text }) => !text.includes('"structuredContent"'))).toEqual([]);
  });

  test("answers calls of tools that cannot exist with errors, and serves the connection on", async () => {
    const more = { "Mcp-Session-Id": (await begin()).headers.get("mcp-session-id") ?? "" };
    const call = async (name: unknown) => {
      const params = { name, arguments: {} };
      return (await raw(relay, { jsonrpc: "2.0", id: 2, method: "tools/call", params }, more)).text;
    };
    for (const name of ["__proto__", "constructor", ""]) expect(await call(name)).toContain("There is no tool");
    const long = await call("x".repeat(900_000));
    expect([long.includes("There is no tool"), long.length < 1000]).toEqual([true, true]);
    for (const odd of [7, null, ["getShells"]]) expect(await call(odd)).toContain("expected string");
    expect(await call("getShells")).toContain('"structuredContent"');
  });

  test("refuses arguments of megabytes, and serves the connection on", async () => {
    await using mcp = await connect();
    await expect(mcp.call("toast", { message: "x".repeat(2 * 1024 * 1024) })).rejects.toThrow(/1 MiB/);
    const long = await mcp.call("toast", { message: "x".repeat(900_000) });
    expect([long.isError, textOf(long)]).toEqual([true, expect.stringMatching(/^invalid_params: params\.message/)]);
    expect((await mcp.call("getShells")).isError).toBeUndefined();
  });

  test("keeps nothing for a client that never reads its stream", async () => {
    await using mcp = await connect();
    const { structuredContent } = await mcp.call("createShell");
    const { shellId, key: tile } = structuredContent as { shellId: number; key: number };
    const id = (await begin()).headers.get("mcp-session-id") ?? "";
    const { hostname, port } = new URL(relay.url);
    const socket = connectSocket(Number(port), hostname).pause();
    const lines = ["GET /v1/mcp HTTP/1.1", `Host: ${hostname}:${port}`, "Accept: text/event-stream"];
    socket.write([...lines, `X-Service-Token: ${relay.key}`, `Mcp-Session-Id: ${id}`, "", ""].join("\r\n"));
    const subscribed = await relay.request("POST", "/v1/mcp", {
      headers: { ...headers, "Mcp-Session-Id": id },
      body: {
        ...{ jsonrpc: "2.0", id: 2, method: "resources/subscribe" },
        params: { uri: `patchbay://sessions/${relay.session}/shells/${shellId}` },
      },
    });
    expect(subscribed.status).toBe(200);
    // 8 MB of output are a notice a second at most.
    const ran = await mcp.call("runCommand", { tile, command: "yes | head -c 8000000 | wc -c", wait: true });
    expect(ran.structuredContent).toMatchObject({ exitCode: 0 });
    expect((await mcp.call("getShells")).isError).toBeUndefined();
    socket.destroy();
  });

  test("refuses further calls of a client that leaves its answers unread, also those of the same request", async () => {
    const { secret } = relay.relay.keys.create({ owner: relay.relay.user, name: "deaf", restrictions: {} });
    await using mcp = await connect({ token: secret });
    const { structuredContent } = await mcp.call("createShell");
    const { shellId, key: tile } = structuredContent as { shellId: number; key: number };
    // Each byte is 13 of an answer.
    const command = "head -c 1500000 /dev/zero | tr '\\0' '\\1'";
    await mcp.call("runCommand", { tile, command, wait: true });
    const call = (_: unknown, at: number) => ({
      ...{ jsonrpc: "2.0", id: 10_000 + at, method: "tools/call" },
      params: { name: "getShellOutput", arguments: { id: shellId } },
    });
    const body = JSON.stringify(Array.from({ length: 50 }, call));
    const { hostname, port } = new URL(relay.url);
    const socket = connectSocket(Number(port), hostname);
    const lines = [
      ...["POST /v1/mcp HTTP/1.1", `Host: ${hostname}:${port}`],
      ...[`Accept: ${headers.Accept}`, `Content-Type: ${headers["Content-Type"]}`, `Content-Length: ${body.length}`],
      ...[`X-Service-Token: ${secret}`, `Mcp-Session-Id: ${mcp.transport.sessionId}`],
    ];
    socket.write([...lines, "", body].join("\r\n"));
    await until("the caller to be refused", async () => {
      return (await relay.get("tiles", { "X-Service-Token": secret })).status === 429;
    });
    expect((await relay.get("tiles")).status).toBe(200);
    const pieces: Buffer[] = [];
    socket.on("data", (piece) => pieces.push(piece));
    await until("the whole answer", () => Buffer.concat(pieces.slice(-3)).toString().endsWith("\r\n0\r\n\r\n"));
    socket.destroy();
    const read = Buffer.concat(pieces).toString();
    expect(read.match(/"structuredContent"/g)?.length).toBeLessThan(6);
    expect(read.match(/too_many_requests: /g)?.length).toBeGreaterThan(44);
    expect((await mcp.call("getShells")).isError).toBeUndefined();
  });

  test("sends the head of an answer before its call has ended, where that takes long", async () => {
    await using mcp = await connect();
    const { structuredContent } = await mcp.call("createShell");
    const { shellId: id } = structuredContent as { shellId: number };
    const params = { name: "waitFor", arguments: { id, exit: true, timeout: 600 } };
    const response = await fetch(`${relay.url}/v1/mcp`, {
      method: "POST",
      headers: { "X-Service-Token": relay.key, ...headers, "Mcp-Session-Id": mcp.transport.sessionId ?? "" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 10_000, method: "tools/call", params }),
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    await mcp.call("closeShell", { id });
    expect(await response.text()).toContain('"id":10000');
  });

  test("lets another caller in while a model calls a hundred tools in one request", async () => {
    const { secret } = relay.relay.keys.create({ owner: relay.relay.user, name: "loop", restrictions: {} });
    await using loop = await connect({ token: secret });
    await using other = await connect();
    const id = loop.transport.sessionId ?? "";
    const call = (_: unknown, at: number) => ({
      ...{ jsonrpc: "2.0", id: 10_000 + at, method: "tools/call" },
      params: { name: "getTiles", arguments: {} },
    });
    let isAnswered = false;
    const calls = Array.from({ length: 100 }, call);
    const batch = raw(relay, calls, { "X-Service-Token": secret, "Mcp-Session-Id": id }).then(({ text }) => {
      isAnswered = true;
      return text.match(/"structuredContent"/g)?.length;
    });
    expect((await other.call("getTiles")).isError).toBeUndefined();
    expect(isAnswered).toBe(false);
    expect(await batch).toBe(100);
  });

  test("tells the client of a call that the relay's end cut off, and to begin anew", async () => {
    await using own = await startTestRelay();
    await own.join();
    await using mcp = await connectMcp(own);
    const { structuredContent } = await mcp.call("createShell");
    const { key: tile } = structuredContent as { key: number };
    const waiting = mcp.call("runCommand", { tile, command: "sleep 600", wait: true, timeout: 600 });
    const told = expect(waiting).rejects.toThrow(/relay was stopped during the call/);
    await until("the command to run", async () => {
      return JSON.stringify((await mcp.call("getShells")).structuredContent).includes("sleep");
    });
    const id = mcp.transport.sessionId ?? "";
    await own.restart();
    await told;
    const again = await raw(own, { jsonrpc: "2.0", id: 3, method: "tools/list" }, { "Mcp-Session-Id": id });
    expect([again.status, again.text]).toEqual([404, expect.stringContaining("initialize a new one")]);
  });
});
