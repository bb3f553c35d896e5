import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Patchbay, RelayUnreachable, RemoteError } from "../../../../client/published/index.ts";
import { freePort } from "../../../support/free-port.ts";
import { ok, type Received, sessions, startFakeRelay } from "../../cli/fake-relay.ts";

const session = "Abcdefgh12345678";
let relay: Awaited<ReturnType<typeof startFakeRelay>>;
let results: Record<string, unknown>;
let patchbay: Patchbay;

const commandOf = ({ body }: Received) => body as { method: string; params: Record<string, unknown> };
/** The commands that came, each with its parameters. */
const commands = () =>
  relay.received
    .filter(({ url }) => url.endsWith("/command"))
    .map((one) => [commandOf(one).method, commandOf(one).params]);

beforeEach(async () => {
  results = { createShell: { shellId: 5, key: 9 }, runCommand: { exitCode: 3, output: "out" } };
  relay = await startFakeRelay((received, response) => {
    if (received.url === "/v1/sessions") return ok(response, sessions);
    ok(response, results[commandOf(received).method] ?? null);
  });
  patchbay = new Patchbay({ url: relay.url, token: "pb_key", session });
});
afterEach(() => relay[Symbol.asyncDispose]());

describe("a relay", () => {
  test("is called with its key, the session and the client that was chosen, and options of the call", async () => {
    const chosen = new Patchbay({ url: relay.url, token: "pb_key", session, client: 4, signal: undefined });
    results.getTiles = [{ key: 1 }];
    expect(await chosen.call("getTiles", { all: true }, { idempotencyKey: "once" })).toEqual([{ key: 1 }]);
    expect(relay.received).toMatchObject([
      {
        url: `/v1/sessions/${session}/remote/command`,
        headers: { "x-service-token": "pb_key", "idempotency-key": "once" },
        body: { method: "getTiles", params: { all: true }, target_client_id: 4 },
      },
    ]);
    await chosen.call("getTiles");
    expect(relay.received[1]?.body).toEqual({ method: "getTiles", params: {}, target_client_id: 4 });
  });

  test("is asked for what it offers itself", async () => {
    expect(await patchbay.operation("listSessions", {})).toEqual(sessions);
  });

  test("that does not run is told, at the usual address too", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    await expect(new Patchbay({ url, token: "k", session }).call("getTiles")).rejects.toThrow(RelayUnreachable);
    // Whatever is there knows no such key.
    await expect(new Patchbay({ token: "pb_none", session }).call("getTiles")).rejects.toThrow(
      /127\.0\.0\.1:7717|key|credential/,
    );
  });
});

describe("a shell", () => {
  test("that is made runs a command in its tile, and waits for its end", async () => {
    const shell = await patchbay.createShell({ cwd: "/x" });
    expect(shell.id).toBe(5);
    expect(await shell.run("make")).toEqual({ exitCode: 3, output: "out" });
    expect(await shell.run("make", { timeout: 290, idempotencyKey: "once" })).toEqual({ exitCode: 3, output: "out" });
    expect(commands()).toEqual([
      ["createShell", { cwd: "/x" }],
      ["runCommand", { tile: 9, command: "make", wait: true, timeout: 60 }],
      ["runCommand", { tile: 9, command: "make", wait: true, timeout: 290 }],
    ]);
    expect(relay.received.at(-1)?.headers["idempotency-key"]).toBe("once");
  });

  test("that exists is found by its tile, once", async () => {
    results.getTiles = [
      { key: 1, type: "web", id: "5" },
      { key: 2, type: "shell", id: "4" },
      { key: 3, type: "shell", id: "5" },
    ];
    results.runCommand = {};
    const shell = patchbay.shell(5);
    expect(await shell.run("a")).toEqual({ exitCode: null, output: "" });
    await shell.run("b");
    expect(commands().map(([method, params]) => [method, (params as { tile?: number }).tile])).toEqual([
      ["getTiles", undefined],
      ["runCommand", 3],
      ["runCommand", 3],
    ]);
  });

  test("in no tile runs no command, and says why", async () => {
    results.getTiles = [{ key: 1, type: "web", id: "5" }];
    await expect(patchbay.shell(5).run("a")).rejects.toEqual(
      new RemoteError("invalid_request", "Shell 5 is in no tile, so no command can be run in it."),
    );
    expect(commands().map(([method]) => method)).toEqual(["getTiles"]);
  });

  test("is typed into, pressed keys in, waited for and closed", async () => {
    const shell = patchbay.shell(5);
    await shell.write("text");
    await shell.press("C-c", "Enter");
    results.waitFor = { kind: "text" };
    expect(await shell.waitFor({ text: "done", timeout: 5 })).toEqual({ kind: "text" });
    await shell.waitFor({ idle: 100 });
    await shell.close();
    expect(commands()).toEqual([
      ["writeToShell", { id: 5, data: "text" }],
      ["sendKeys", { id: 5, keys: ["C-c", "Enter"] }],
      ["waitFor", { id: 5, text: "done", timeout: 5 }],
      ["waitFor", { id: 5, idle: 100, timeout: 60 }],
      ["closeShell", { id: 5 }],
    ]);
  });

  test.each([
    ["run", () => patchbay.shell(5).run("a", { timeout: 291 })],
    ["wait", async () => patchbay.shell(5).waitFor({ exit: true, timeout: 290.5 })],
  ])("does not %s for longer than a request lasts", async (_what, call) => {
    results.getTiles = [{ key: 3, type: "shell", id: "5" }];
    await expect(call()).rejects.toMatchObject({
      code: "invalid_params",
      message: expect.stringMatching(/^params\.timeout: expected at most 290 seconds, got 29[01](\.5)?\.$/),
    });
  });
});

test("events and output come as the relay sends them", async () => {
  await using streams = await startFakeRelay(({ url }, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    if (url.includes("/events"))
      return void response.end('id: b:1\nevent: toast\ndata: {"type":"toast","seq":1,"data":{}}\n\n');
    response.end('id: 3\nevent: end\ndata: {"type":"end","data":{"exitCode":0,"signal":null}}\n\n');
  });
  const client = new Patchbay({ url: streams.url, token: "k", session });
  const collect = async (stream: AsyncGenerator<{ readonly type: string }>) => {
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    return types;
  };
  expect(await collect(client.events({ types: ["toast"], follow: false, lastEventId: "b:0" }))).toEqual(["toast"]);
  expect(streams.received[0]).toMatchObject({
    url: `/v1/sessions/${session}/events?types=toast&follow=false`,
    headers: { "last-event-id": "b:0" },
  });
  expect(await collect(client.shell(5).output({ since: 7, plain: true }))).toEqual(["end"]);
  expect(streams.received[1]?.url).toBe(`/v1/sessions/${session}/shells/5/output?since=7&plain=true`);
});
