import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { type OperationName, operationNames, operations } from "../../core/operations/index.ts";
import { type OperationSpec, pathParams } from "../../core/operations/operation.ts";
import type { AuditEntry, AuditVerification } from "../../core/protocol/audit.ts";
import { PROTOCOL_VERSION } from "../../core/protocol/frames.ts";
import { exampleOf } from "../../main/relay/docs/example-of.ts";
import { openStoreInUse } from "../../main/relay/store/open-store.ts";
import { type ServeProcess, startServeLab } from "../support/start-serve.ts";
import { startTestRelay, type TestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";

test("every changing call stands in the audit log, through whichever entry point it came", async () => {
  await using lab = await startServeLab();
  const relay = await lab.serve(["--client"]);
  const key = await lab.makeKey();
  const audit = async () => {
    const response = await fetch(`${relay.url}/v1/audit?kind=call&limit=1000`, { headers: { "X-Service-Token": key } });
    return ((await response.json()) as { result: AuditEntry[] }).result;
  };

  // Over HTTP: whatever comes of it, the call is told.
  const changing = operationNames.filter((name) => specOf(name).http !== undefined && specOf(name).effect === "change");
  for (const name of changing) await callOverHttp(relay, key, name);
  const overHttp = new Set(
    (await audit()).filter(({ from }) => from.includes("127.0.0.1")).map(({ action }) => action),
  );
  expect(changing.filter((name) => specOf(name).bearer === undefined && !overHttp.has(name))).toEqual([]);

  // On the command line, in the data folder itself.
  expect((await audit()).some(({ from, action }) => from === "command line" && action === "createKey")).toBe(true);

  // A guest, over the socket of the browser.
  await changeAsGuest(relay, key);
  const guest = await until("the guest's entry", async () =>
    (await audit()).find(({ credential, action }) => credential === "guest" && action === "sendChat"),
  );
  expect(guest).toMatchObject({ who: "mallory", session: relay.session, outcome: "ok" });
  expect(JSON.stringify(await audit())).not.toContain("s3cret");
});

test("secrets in addresses, names and parameters are hidden, in whatever form they come", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const secret = `pb_${"s3cret".repeat(8)}`;
  const escaped = secret.replace("_", "%5F").replace("s", "%73");
  await relay.request("DELETE", `/v1/keys/${secret}`);
  await relay.request("DELETE", `/v1/keys/${escaped}`);
  await relay.request("DELETE", `/v1/sessions/${secret}`);
  await relay.request("POST", `/nothing/${secret}`);
  await relay.request("POST", `/nothing/${"x".repeat(170)}/${secret}`);
  await relay.request("POST", `/v1/sessions/${escaped}/remote/command`, { body: { method: "sendChat", params: {} } });
  await relay.request("POST", `/s/${escaped}/enter`, { body: {} });
  await relay.request("POST", "/v1/sessions", { body: { name: secret } });
  const { shellId, key } = await relay.command<{ shellId: number; key: number }>("createShell");
  await relay.command("renameTile", { key, name: `${"x".repeat(140)} ${secret}` });
  await relay.command("splitShell", { command: "echo s3cret" });
  await relay.command("openTile", { type: "browser", url: "https://user:s3cret@e.test/page?token=s3cret#s3cret" });
  await relay.command("toast", { message: "s3cret" });
  await relay.command("notify", { title: "s3cret", body: "s3cret" });
  await relay.command("closeShell", { id: shellId });
  const entries = await audit(relay, "?limit=1000");
  expect(JSON.stringify(entries)).not.toMatch(/s3cr/);
  const urls = entries.filter(({ action }) => action === "openTile").map(({ params }) => params.url);
  expect(urls).toEqual(["https://[hidden]@e.test/page?[hidden]#[hidden]"]);
  const actions = entries.map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(["toast", "notify", "revokeKey", "closeSession", "splitShell"]));
});

test("refused calls without a key are counted, and push nothing out", async () => {
  await using relay = await startTestRelay();
  await relay.request("POST", "/v1/sessions", { body: { name: "second" } });
  for (let n = 0; n < 50; n += 1) await fetch(`${relay.url}/nothing/${n}`, { method: "POST" });
  const entries = await audit(relay, "?kind=call&limit=1000");
  expect(entries.filter(({ credential }) => credential === "none")).toMatchObject([{ count: 50 }]);
  expect(entries.map(({ action }) => action)).toContain("createSession");
});

test("a change of an entry in the file is reported", async () => {
  await using relay = await startTestRelay();
  await relay.request("POST", "/v1/sessions", { body: { name: "second" } });
  const verify = async (query = "") => {
    const { status, text } = await relay.request("GET", `/v1/audit/verify${query}`);
    return { status, ...(status === 200 ? (JSON.parse(text) as { result: AuditVerification }).result : {}) };
  };
  const first = await verify();
  expect(first).toMatchObject({ status: 200, ok: true, removed: 0, unchained: 0 });
  expect(await verify(`?head=${first.head}`)).toMatchObject({ ok: true });
  expect(await verify("?head=nonsense")).toMatchObject({ status: 400 });
  const database = openStoreInUse(relay.folder);
  database.exec("UPDATE audit SET who = 'someone' WHERE action = 'createSession'");
  database.close();
  expect(await verify()).toMatchObject({ ok: false, broken: { reason: expect.stringContaining("changed") } });
});

async function audit(relay: TestRelay, query: string): Promise<AuditEntry[]> {
  const { text } = await relay.request("GET", `/v1/audit${query}`);
  return (JSON.parse(text) as { result: AuditEntry[] }).result;
}

function specOf(name: OperationName): OperationSpec {
  return operations[name];
}

async function callOverHttp(relay: ServeProcess, key: string, name: OperationName): Promise<void> {
  const { http, params } = specOf(name);
  if (http === undefined) return;
  const schema = z.toJSONSchema(params, { io: "input", unrepresentable: "any" });
  // A session that nobody has, so that none is closed and renamed under the test.
  const example = { ...Object(exampleOf(schema)), session: "no-such-session" } as Record<string, unknown>;
  const inPath = pathParams(http.path);
  const path = http.path.replace(/:([A-Za-z]+)/g, (_, param: string) => encodeURIComponent(String(example[param])));
  const body = Object.fromEntries(
    Object.entries(example).filter(([param]) => !inPath.includes(param) && param !== "session"),
  );
  await fetch(`${relay.url}/v1/${path}`, {
    method: http.method,
    headers: { "X-Service-Token": key, "Content-Type": "application/json" },
    ...(http.method === "DELETE" ? {} : { body: JSON.stringify(body) }),
  });
}

/** Enters by an invite and says something in the chat. */
async function changeAsGuest(relay: ServeProcess, key: string): Promise<void> {
  const json = { "Content-Type": "application/json", Origin: relay.url };
  const made = await fetch(`${relay.url}/v1/sessions/${relay.session}/invites`, {
    method: "POST",
    headers: { "X-Service-Token": key, "Content-Type": "application/json" },
    body: "{}",
  });
  const { url } = ((await made.json()) as { result: { url: string } }).result;
  const entered = await fetch(`${relay.url}/s/${relay.session}/enter`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ invite: new URL(url).hash.slice(1), name: "mallory" }),
  });
  const Cookie = (entered.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const socket = new WebSocket(`${relay.url.replace("http", "ws")}/s/${relay.session}/socket`, {
    headers: { Cookie, Origin: relay.url },
  });
  try {
    await new Promise((done, failed) => socket.once("open", done).once("error", failed));
    const answered = new Promise((done) =>
      socket.on("message", (data, isBinary) => {
        if (!isBinary && JSON.parse(String(data)).type === "answer") done(undefined);
      }),
    );
    const hello = { type: "hello", protocol: PROTOCOL_VERSION, device: "browser", clientKind: "browser" };
    for (const frame of [hello, { type: "ask", id: 1, op: "sendChat", params: { text: "s3cret" } }]) {
      socket.send(JSON.stringify(frame));
    }
    await answered;
  } finally {
    socket.close();
  }
}
