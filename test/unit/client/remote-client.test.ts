import { expect, test } from "vitest";
import { RelayUnreachable } from "../../../client/errors.ts";
import { RemoteClient } from "../../../client/remote-client.ts";
import { freePort } from "../../support/free-port.ts";
import { ok, refuse, sessions, startFakeRelay } from "../cli/fake-relay.ts";

const id = "Abcdefgh12345678";

test("sends a command as the interface says and answers its result", async () => {
  await using relay = await startFakeRelay((_, response) =>
    ok(response, { key: 3 }, { "X-Service-Client": "2", "X-Service-Tile": "3" }),
  );
  const client = new RemoteClient({
    url: `${relay.url}/base/`,
    token: "key",
    session: id,
    client: 2,
    sourceShell: 5,
    sourceSession: id,
    timeout: 4,
  });
  expect(await client.call("setRatio", { ratio: 0.3 })).toEqual({ key: 3 });
  expect(await client.ask("setRatio", { ratio: 0.3 })).toEqual({
    result: { key: 3 },
    hit: { client: 2, tile: 3 },
  });
  expect(relay.received[0]).toMatchObject({
    method: "POST",
    url: `/base/v1/sessions/${id}/remote/command`,
    headers: { "x-service-token": "key", "x-service-timeout": "4", "content-type": "application/json" },
    body: { method: "setRatio", params: { ratio: 0.3 }, target_client_id: 2, source_shell_id: 5 },
  });
});

test("parameters are required by type exactly where the declaration requires them", () => {
  const call = (client: RemoteClient) => [
    () => client.call("getTiles"),
    () => client.call("toast", { message: "hi" }),
    // @ts-expect-error the index is missing
    () => client.call("selectTab"),
    // @ts-expect-error a kind that does not exist
    () => client.call("toast", { message: "hi", kind: "loud" }),
  ];
  expect(call).toBeTypeOf("function");
});

test.each([
  ["unknown_route", 404, "No such path: /v1/usage. See docs/api.md."],
  ["unknown_method", 400, 'No method "getTiles". GET /v1/openapi.json lists them.'],
  ["invalid_params", 400, 'params."all": no such parameter; this method takes none.'],
])("tells that the relay is of an earlier version: %s", async (code, status, text) => {
  await using relay = await startFakeRelay((_, response) => refuse(response, status, code, text));
  const client = new RemoteClient({ url: relay.url, token: "k", session: id });
  await expect(client.call("getTiles")).rejects.toMatchObject({
    code,
    message: `${text} If the address is right, the relay there is of an earlier version than this program: restart it.`,
  });
});

test("keeps the shell it runs in from other sessions", async () => {
  await using relay = await startFakeRelay((_, response) => ok(response, []));
  const other = new RemoteClient({
    url: relay.url,
    token: "k",
    session: id,
    sourceShell: 5,
    sourceSession: "Zyxwvuts87654321",
  });
  await other.call("getTiles");
  expect(relay.received[0]?.body).toEqual({ method: "getTiles", params: {} });
});

test("resolves a session by name once, also a name that looks like an id", async () => {
  await using relay = await startFakeRelay(({ url }, response) => {
    if (url === "/v1/sessions") ok(response, sessions);
    else if (url.includes("/production/")) refuse(response, 404, "unknown_session", "No session production.");
    else ok(response, []);
  });
  const client = new RemoteClient({ url: relay.url, token: "k", session: "production" });
  await client.get("tiles");
  await client.call("getTiles");
  expect(relay.received.map(({ url }) => url)).toEqual([
    "/v1/sessions/production/remote/tiles",
    "/v1/sessions",
    "/v1/sessions/Zyxwvuts87654321/remote/tiles",
    "/v1/sessions/Zyxwvuts87654321/remote/command",
  ]);
  const lost = new RemoteClient({ url: relay.url, token: "k", session: "work" });
  await expect(lost.call("getTiles")).rejects.toMatchObject({
    code: "unknown_session",
    message: `No session is called "work". There are:\n${id} default\nZyxwvuts87654321 production`,
  });
  await expect(new RemoteClient({ url: relay.url, token: "k" }).get("tiles")).rejects.toThrow("Several sessions");
});

test("sessions of other relays of a fleet are meant only where none of the relay's own is", async () => {
  const own = { id: "own-session-01", name: "default" };
  const foreign = [
    { id: "box-session-01", name: "default", relay: "box" },
    { id: "box-session-02", name: "build", relay: "box" },
    { id: "desk-session-1", name: "build", relay: "desk" },
  ];
  await using relay = await startFakeRelay(({ url }, response) =>
    ok(response, url === "/v1/sessions" ? [own, ...foreign] : []),
  );
  const idOf = async (session: string | undefined) => {
    await new RemoteClient({ url: relay.url, token: "k", ...(session === undefined ? {} : { session }) }).call(
      "getTiles",
    );
    return relay.received.at(-1)?.url.split("/")[3];
  };
  expect(await idOf(undefined)).toBe(own.id);
  expect(await idOf("default")).toBe(own.id);
  expect(await idOf("box/default")).toBe("box-session-01");
  expect(await idOf("desk/build")).toBe("desk-session-1");
  await expect(idOf("build")).rejects.toThrow(/Several sessions fit[\s\S]*box\/build[\s\S]*desk\/build/);
});

test("the word desktop stands for the one desktop client", async () => {
  await using relay = await startFakeRelay(({ body }, response) => {
    const { method } = body as { method: string };
    const clients = [
      { id: 1, name: "a", canWrite: true, device: "d", clientKind: "browser" },
      { id: 4, name: "b", canWrite: true, device: "d", clientKind: "desktop" },
    ];
    ok(response, method === "getClients" ? clients : []);
  });
  await new RemoteClient({ url: relay.url, token: "k", session: id, client: "desktop" }).call("getTiles");
  expect(relay.received.map(({ body }) => body)).toEqual([
    { method: "getClients", params: {} },
    { method: "getTiles", params: {}, target_client_id: 4 },
  ]);
});

test("passes a refusal on with its code and its sentence, without what would steer a terminal", async () => {
  await using relay = await startFakeRelay((_, response) =>
    refuse(response, 404, "unknown_tile", "No tile\u001b[2J 9."),
  );
  const client = new RemoteClient({ url: relay.url, token: "k", session: id });
  await expect(client.call("getTiles")).rejects.toMatchObject({ code: "unknown_tile", message: "No tile[2J 9." });
});

test("says so when something else answers", async () => {
  await using relay = await startFakeRelay((_, response) => void response.end("<html>"));
  const client = new RemoteClient({ url: relay.url, token: "k", session: id });
  await expect(client.call("getTiles")).rejects.toThrow("is not a Patchbay relay");
});

test("tells that nobody listens, and that the answer broke off", async () => {
  const port = await freePort();
  const nobody = new RemoteClient({ url: `http://127.0.0.1:${port}`, token: "k", session: id });
  await expect(nobody.call("getTiles")).rejects.toBeInstanceOf(RelayUnreachable);
  await using relay = await startFakeRelay((_, response) => {
    response.writeHead(200, { "Content-Length": "1000" });
    response.write("{", () => response.destroy());
  });
  const cut = new RemoteClient({ url: relay.url, token: "k", session: id });
  await expect(cut.call("getTiles")).rejects.toBeInstanceOf(RelayUnreachable);
});

test("iterates over events, resumes after an id and stops when told", async () => {
  await using relay = await startFakeRelay((_, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(': x\n\nid: b:7\ndata: {"seq":7,"at":"t","type":"toast","data":{"message":"hi"}}\n\n');
  });
  const client = new RemoteClient({ url: relay.url, token: "k", session: id });
  const stop = new AbortController();
  const seen: unknown[] = [];
  const all = (async () => {
    for await (const event of client.events({ types: ["toast"], lastEventId: "b:6", signal: stop.signal })) {
      seen.push(event);
      stop.abort();
    }
  })();
  await expect(all).rejects.toMatchObject({ name: "AbortError" });
  expect(seen).toEqual([{ id: "b:7", seq: 7, at: "t", type: "toast", data: { message: "hi" } }]);
  expect(relay.received[0]).toMatchObject({
    url: `/v1/sessions/${id}/events?types=toast`,
    headers: { "last-event-id": "b:6" },
  });
});

test("a remote's typed result is as declared or refused, and stays as it came; the relay of this machine is believed", async () => {
  let answer: unknown = [{ key: 1, type: "shell", id: 2, active: true, later: "kept" }];
  await using relay = await startFakeRelay((_, response) => ok(response, answer));
  const local = new RemoteClient({ url: relay.url, token: "k", session: id });
  const box = new RemoteClient({ url: relay.url, token: "k", session: id, remote: { name: "box" } });
  expect(await box.call("getTiles")).toEqual(answer);
  answer = [{ toString: 1 }];
  const refused = { code: "internal", message: expect.stringContaining("is not a Patchbay relay") };
  await expect(box.call("getTiles")).rejects.toMatchObject(refused);
  await expect(box.operation("listSessions", {})).rejects.toMatchObject(refused);
  expect(await local.call("getTiles")).toEqual(answer);
  // What is only shown is not refused: a remote may be of another version.
  expect(await box.ask("getTiles", {})).toMatchObject({ result: answer });
  expect(await box.askOperation("listSessions", {})).toEqual(answer);
});
