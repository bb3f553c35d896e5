import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ShellId } from "../../core/protocol/ids.ts";
import { decision, event, list, openShell, report } from "../support/agent-questions.ts";
import { connectMcp, textOf } from "../support/mcp-client.ts";
import { startTestRelay, type TestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";

let relay: TestRelay;

beforeAll(async () => {
  relay = await startTestRelay();
  await relay.join();
});
afterAll(() => relay[Symbol.asyncDispose]());

const connect = (options: Parameters<typeof connectMcp>[1] = {}) => connectMcp(relay, options);
const headers = { Accept: "application/json, text/event-stream", "Content-Type": "application/json" };

describe("a program that speaks MCP", () => {
  test("may do with a restricted shell's token what the shell may, and no more", async () => {
    const session = relay.relay.sessions.get(relay.session);
    const { shellId } = await relay.command<{ shellId: ShellId }>("createShell");
    const others = await relay.command<{ shellId: ShellId }>("createShell");
    session.shells.setRestricted(shellId, true);
    const { token } = relay.relay.keys.createShellToken(relay.relay.user, relay.session, shellId, {
      role: "admin",
      guest: false,
    });
    await using mcp = await connect({ tools: "all", token });
    expect((await mcp.call("getShells")).isError).toBeUndefined();
    for (const [name, args] of [
      ["writeToShell", { id: others.shellId, data: "id\\n" }],
      ["restrictShells", { state: "off" }],
      ["createKey", { name: "mine" }],
    ] as const) {
      const refused = await mcp.call(name, args);
      expect([name, refused.isError, textOf(refused)]).toEqual([name, true, expect.stringMatching(/^scope_forbids: /)]);
    }
  });

  test("is not asked the questions of agents where it may not answer them, as an agent may not its own", async () => {
    const { token } = await openShell(relay, "asking");
    const asked: string[] = [];
    const elicit = (who: string) => async () => {
      asked.push(who);
      return { action: "accept", content: { option: "yes" } } as const;
    };
    const session = relay.relay.sessions.get(relay.session);
    const { shellId } = await relay.command<{ shellId: ShellId }>("createShell");
    session.shells.setRestricted(shellId, true);
    const restricted = relay.relay.keys.createShellToken(relay.relay.user, relay.session, shellId, {
      role: "admin",
      guest: false,
    });
    const readOnly = relay.relay.keys.create({
      owner: relay.relay.user,
      name: "reader",
      restrictions: { readOnly: true },
    });
    await using _first = await connect({ token: restricted.token, elicit: elicit("shell") });
    await using _second = await connect({ token: readOnly.secret, elicit: elicit("reader") });
    const output = report(relay, token, event("PermissionRequest", "make"), "asked");
    await until("the question", async () => (await list(relay)).length > 0);
    // Asked after the two, it is answered by the owner's client.
    await using _third = await connect({ elicit: elicit("owner") });
    expect(JSON.parse(await output)).toMatchObject(decision("allow"));
    expect(asked).toEqual(["owner"]);
  });

  test("finds no connection of another caller, and none with a key that was revoked", async () => {
    const key = relay.relay.keys.create({ owner: relay.relay.user, name: "other", restrictions: {} });
    await using mcp = await connect({ token: key.secret });
    const id = mcp.transport.sessionId ?? "";
    expect(id).not.toBe("");
    const stolen = await fetch(`${relay.url}/v1/mcp`, {
      method: "POST",
      headers: { ...headers, "X-Service-Token": relay.key, "Mcp-Session-Id": id },
      body: JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" }),
    });
    expect(stolen.status).toBe(404);
    relay.relay.keys.revoke(key.key.id);
    await expect(mcp.call("getShells")).rejects.toThrow();
  });

  test("that calls tools in a loop over 16 connections leaves another caller its turns", async () => {
    const { secret } = relay.relay.keys.create({ owner: relay.relay.user, name: "loop", restrictions: {} });
    const [connections, perConnection, commands] = [16, 20, 30];
    let answered = 0;
    let isOver = false;
    const loop = async ({ call }: Awaited<ReturnType<typeof connect>>) => {
      for (; !isOver; answered += 1) await call("getTiles");
    };
    const looping = [];
    for (let made = 0; made < connections; made += 1) looping.push(await connect({ token: secret, tools: "getTiles" }));
    const loops = looping.flatMap((mcp) => Array.from({ length: perConnection }, () => loop(mcp)));
    await until("the loops to run", () => answered >= connections);
    const before = answered;
    for (let sent = 0; sent < commands; sent += 1) expect((await relay.get("tiles")).status).toBe(200);
    const meanwhile = answered - before;
    isOver = true;
    await Promise.all(loops);
    for (const { client } of looping) await client.close();
    // Served as they arrive, the calls are eight for each command, and hundreds for the first.
    expect(meanwhile).toBeLessThan(commands * 4);
  });

  test("has 16 connections at most: with another one its quietest ends, and others' stay", async () => {
    const key = relay.relay.keys.create({ owner: relay.relay.user, name: "greedy", restrictions: {} });
    await using kept = await connect();
    const greedy = [];
    for (let made = 0; made < 17; made++) greedy.push(await connect({ token: key.secret }));
    await expect(greedy[0]?.call("getShells")).rejects.toThrow(/has ended/);
    expect((await greedy[1]?.call("getShells"))?.isError).toBeUndefined();
    expect((await kept.call("getShells")).isError).toBeUndefined();
    for (const one of greedy) await one.client.close();
  });
});
