import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { type OperationName, operationNames, operations } from "../../core/operations/index.ts";
import { type OperationSpec, pathParams } from "../../core/operations/operation.ts";
import type { AuditEntry } from "../../core/protocol/audit.ts";
import { PROTOCOL_VERSION } from "../../core/protocol/frames.ts";
import { exampleOf } from "../../main/relay/docs/example-of.ts";
import { type ServeProcess, startServeLab } from "../support/start-serve.ts";
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
