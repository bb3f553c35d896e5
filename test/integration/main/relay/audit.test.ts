import { afterEach, beforeEach, expect, test } from "vitest";
import type { AskableName } from "../../../../core/commands/asked.ts";
import type { AuditEntry } from "../../../../core/protocol/audit.ts";
import { linkedPair } from "../../../../core/protocol/link.ts";
import { puppet } from "../../../support/puppet-client.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

let relay: TestRelay;

beforeEach(async () => {
  relay = await startTestRelay();
});

afterEach(async () => {
  await relay[Symbol.asyncDispose]();
});

async function audit(query = ""): Promise<AuditEntry[]> {
  const { status, text } = await relay.request("GET", `/v1/audit${query}`);
  expect(status).toBe(200);
  return (JSON.parse(text) as { result: AuditEntry[] }).result;
}

test("tells who changed what, from where, with what outcome; reading is not told", async () => {
  await using client = await relay.join();
  await relay.command("getTiles");
  await relay.command("openTile", { type: "browser" });
  const refused = await relay.post({ method: "focusTile", params: { key: 99 } });
  expect(refused.status).toBe(404);
  const calls = await audit("?kind=call");
  expect(calls.map(({ action, outcome }) => [action, outcome])).toEqual([
    ["focusTile", "unknown_tile"],
    ["openTile", "ok"],
  ]);
  expect(calls[1]).toMatchObject({
    who: "test",
    credential: "key",
    from: "127.0.0.1",
    session: relay.session,
    params: { type: "browser" },
    client: client.id,
    durationMs: expect.any(Number),
  });
});

test("what is typed or run is told by its length alone", async () => {
  await using _client = await relay.join();
  const { shellId, key } = await relay.command<{ shellId: number; key: number }>("createShell", {
    command: "echo s3cret",
  });
  await relay.command("writeToShell", { id: shellId, data: "s3cret" });
  await relay.command("runCommand", { tile: key, command: "echo s3cret" });
  await relay.post({ method: "writeToShell", params: { id: shellId, dta: "s3cret" } });
  await relay.command("sendChat", { message: "s3cret" });
  const entries = await audit();
  expect(entries.filter(({ action }) => action === "writeToShell").map(({ params }) => params)).toEqual([
    { id: shellId },
    { id: shellId, data: "(6 characters)", literal: false, raw: false },
  ]);
  expect(JSON.stringify(entries)).not.toContain("s3cret");
});

test("the session's own changes and wrong credentials are told; a flood of them is one line", async () => {
  await relay.request("POST", "/v1/sessions", { body: { name: "second" } });
  const wrong = { headers: { "X-Service-Token": "pb_wrong" } };
  for (let tried = 0; tried < 5; tried += 1) await relay.request("GET", "/v1/sessions", wrong);
  const entries = await audit();
  expect(entries.filter(({ kind }) => kind === "call")).toMatchObject([
    { action: "createSession", outcome: "ok", who: "test" },
  ]);
  expect(entries.filter(({ outcome }) => outcome === "unauthenticated")).toMatchObject([
    { kind: "authentication", who: null, credential: "none", count: 5 },
  ]);
  expect(JSON.stringify(entries)).not.toContain("pb_wrong");
});

test("can be searched, and read page by page", async () => {
  await using _client = await relay.join();
  for (let tile = 0; tile < 5; tile += 1)
    await relay.command("openTile", { type: "browser", url: `https://e.test/100%_${tile}` });
  const [newest, next] = await audit("?kind=call&limit=2");
  expect((await audit(`?kind=call&limit=2&before=${next?.id}`)).map(({ id }) => id)).toEqual([
    (next?.id ?? 0) - 1,
    (next?.id ?? 0) - 2,
  ]);
  expect((await audit("?text=100%25_4")).map(({ id }) => id)).toEqual([newest?.id]);
  expect(await audit("?text=100%25X4")).toEqual([]);
  expect(await audit("?session=other")).toEqual([]);
  expect((await audit("?outcome=failed")).length).toBe(0);
  expect((await relay.request("GET", "/v1/audit?limit=0")).status).toBe(400);
});

test("survives a restart, and is closed to a restricted shell", async () => {
  await using _client = await relay.join();
  await relay.command("openTile", { type: "browser" });
  const { key } = await relay.command<{ key: number; shellId: number }>("createShell");
  const ask = () =>
    relay.command<{ output: string }>("runCommand", {
      tile: key,
      wait: true,
      command: "curl -s -o /dev/null -w '%{http_code}' -H \"X-Service-Token: $SERVICE_TOKEN\" $SERVICE_URL/v1/audit",
    });
  expect((await ask()).output).toContain("200");
  await relay.command("restrictShells", { state: "on" });
  expect((await ask()).output).toContain("403");
  await relay.restart();
  expect((await audit("?text=openTile")).length).toBe(1);
});

test("what a guest changes over the socket is told, with the guest's name; typed keys are one entry, by their length", async () => {
  const bob = { session: relay.session, name: "bob", role: "admin", device: "", invite: null } as const;
  const { guest: admitted } = relay.relay.guests.admit(bob);
  const pair = linkedPair();
  const identity = { name: "bob", role: "admin", guest: admitted.id, from: "192.0.2.7" } as const;
  relay.relay.sessions.get(relay.session).clients.join(pair.relay, identity);
  const guest = await puppet(pair.client);
  let asked = 0;
  const ask = async (op: AskableName, params: Record<string, unknown>, command?: number) => {
    asked += 1;
    guest.say({ type: "ask", id: asked, op, params, ...(command === undefined ? {} : { for: command }) });
    return until(`the answer to ${op}`, () =>
      guest.frames.find((frame) => (frame.type === "answer" || frame.type === "refused") && frame.id === asked),
    );
  };
  const made = await ask("createShell", { command: "echo s3cret", cwd: relay.folder });
  const shell = made.type === "answer" ? (made.value as { shell: { id: number } }).shell.id : 0;
  for (const data of ["s", "3", "cret"]) await ask("writeShell", { shell, data });
  await ask("sendChat", { text: "s3cret" });
  await ask("closeShell", { shell: 99 });
  // A command that nobody sent hides nothing.
  await ask("sendChat", { text: "s3cret" }, 999);
  await ask("getAgentCost", {});

  const entries = await audit("?kind=call");
  expect(entries.map(({ action, outcome, count }) => [action, outcome, count]).reverse()).toEqual([
    ["createShell", "ok", 1],
    ["writeShell", "ok", 3],
    ["sendChat", "ok", 1],
    ["closeShell", "unknown_shell", 1],
    ["sendChat", "ok", 1],
  ]);
  for (const entry of entries) {
    expect(entry).toMatchObject({ who: "bob", credential: "guest", from: "192.0.2.7", session: relay.session });
  }
  expect(JSON.stringify(entries)).not.toContain("s3cret");
});

test("a caller's command is told once, also where its client has the relay do the rest", async () => {
  await using _client = await relay.join();
  await relay.command("createShell", {});
  await relay.command("sendChat", { message: "hello" });
  expect((await audit("?kind=call")).map(({ action }) => action)).toEqual(["sendChat", "createShell"]);
});
