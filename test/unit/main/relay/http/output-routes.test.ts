import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ShellHost } from "../../../../../core/protocol/shell-host.ts";
import type { TestRelay } from "../../../../support/test-relay.ts";
import { until } from "../../../../support/until.ts";
import { startPaperRelay } from "../paper-relay.ts";
import { paperShells } from "../small-session.ts";

type Follow = Parameters<ShellHost["follow"]>;

/** A subscription of the route at the shell host. */
interface Followed {
  readonly options: Follow[1];
  readonly tell: Follow[2];
  readonly acknowledged: number[];
  stopped: boolean;
}

let relay: TestRelay;
let shells: ReturnType<typeof paperShells>;
let followed: Followed[];
let path: string;
beforeEach(async () => {
  shells = paperShells();
  followed = [];
  const follow: ShellHost["follow"] = (_shell, options, tell) => {
    const one: Followed = { options, tell, acknowledged: [], stopped: false };
    followed.push(one);
    return {
      acknowledge: (bytes) => void one.acknowledged.push(bytes),
      stop() {
        one.stopped = true;
      },
    };
  };
  relay = await startPaperRelay({ shellHostFor: () => ({ ...shells.host, follow }) });
  await relay.join();
  const { shellId } = await relay.command<{ shellId: number }>("createShell");
  path = `/v1/sessions/${relay.session}/shells/${shellId}/output`;
});
afterEach(() => relay[Symbol.asyncDispose]());

/** Opens the stream, and waits for its subscription. */
async function open(query = "", headers: Record<string, string> = {}) {
  const request = httpRequest(relay.url + path + query, { headers: { "X-Service-Token": relay.key, ...headers } });
  const before = followed.length;
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  response.on("error", () => undefined);
  const ended = new Promise((resolve) => response.once("close", resolve));
  const one = await until("the subscription", () => followed[before]);
  return { ...one, one, response, ended, text: () => text, close: () => request.destroy() };
}

describe("the stream of a shell's output", () => {
  test("has what is printed with the offset after it, and acknowledges what was sent", async () => {
    const { tell, text, acknowledged, response, close } = await open();
    expect([response.statusCode, response.headers["content-type"]]).toEqual([200, "text/event-stream; charset=utf-8"]);
    tell.text("hello", 10, 15);
    tell.missed(7, 22);
    tell.text("ä", 22, 24);
    const [first, missed, last] = [
      'id: 15\nevent: output\ndata: {"type":"output","data":{"output":"hello","offset":10,"end":15}}\n\n',
      'id: 22\nevent: missed\ndata: {"type":"missed","data":{"bytes":7,"offset":22}}\n\n',
      'id: 24\nevent: output\ndata: {"type":"output","data":{"output":"ä","offset":22,"end":24}}\n\n',
    ];
    await until("the text", () => text() === `: patchbay\n\n${first}${missed}${last}`);
    expect(acknowledged).toEqual([5, 2]);
    close();
  });

  test("acknowledges nothing while its reader does not read, and all of it afterwards", async () => {
    const { tell, response, acknowledged, close } = await open();
    response.pause();
    const piece = "x".repeat(200_000);
    let sent = 0;
    for (; sent < 200 && acknowledged.length === sent; sent++) tell.text(piece, sent * 200_000, (sent + 1) * 200_000);
    expect(acknowledged.length).toBeLessThan(sent);
    response.resume();
    const sum = () => acknowledged.reduce((one, other) => one + other, 0);
    await until("all to be acknowledged", () => sum() === sent * 200_000);
    close();
  });

  test.each<[string, Record<string, string>, object]>([
    ["", {}, { from: undefined, plain: false }],
    ["?since=0", {}, { from: 0, plain: false }],
    ["?since=5&plain=true", {}, { from: 5, plain: true }],
    ["?since=5", { "Last-Event-ID": "" }, { from: 5, plain: false }],
    ["?since=5", { "Last-Event-ID": "12" }, { from: 12, plain: false }],
  ])("begins as %j and %j say", async (query, headers, options) => {
    const { one, close } = await open(query, headers);
    expect(one.options).toEqual({ window: 262_144, ...options });
    close();
  });

  test("ends with the shell's program, and says how", async () => {
    const { one, tell, text, ended } = await open();
    tell.end({ exitCode: null, signal: 9 } as never);
    await ended;
    expect(text()).toMatch(/event: end\ndata: {"type":"end","data":{"exitCode":null,"signal":"SIGKILL"}}\n\n$/);
    expect(one.stopped).toBe(true);
    // What comes late is sent to nobody.
    const said = text();
    tell.text("late", 0, 4);
    expect(text()).toBe(said);
  });

  test("ends when the shell is closed", async () => {
    const { text, ended, one } = await open();
    await relay.command("closeShell", { id: Number(/shells\/(\d+)/.exec(path)?.[1]) });
    await ended;
    expect(text()).toMatch(/event: end\ndata: {"type":"end","data":{"exitCode":null,"signal":null}}\n\n$/);
    expect(one.stopped).toBe(true);
  });

  test("ends with its key, and says why", async () => {
    const { secret } = relay.relay.keys.create({ owner: relay.relay.user, name: "short" });
    const { text, ended, one } = await open("", { "X-Service-Token": secret });
    relay.relay.keys.revoke("short");
    await ended;
    expect(text()).toMatch(
      /event: closed\ndata: {"type":"closed","data":{"code":"unauthenticated","reason":".+"}}\n\n$/,
    );
    expect(one.stopped).toBe(true);
  });

  test("of a reader that is gone is stopped", async () => {
    const { one, close } = await open();
    close();
    await until("the subscription to be stopped", () => one.stopped);
  });

  test("has its head alone for HEAD", async () => {
    const { status, headers, text } = await relay.request("HEAD", path);
    expect([status, headers.get("content-type"), text]).toEqual([200, "text/event-stream; charset=utf-8", ""]);
    expect(followed).toEqual([]);
  });

  test.each<[string, Record<string, string>, number, string]>([
    ["?since=-1", {}, 400, 'query.since: expected a whole number of at least 0, got "-1".'],
    ["?plain=yes", {}, 400, 'query.plain: expected one of true, false, got "yes".'],
    ["?from=1", {}, 400, 'query."from": no such parameter; expected one of since, plain.'],
    ["", { "Last-Event-ID": "x".repeat(100) }, 400, `Last-Event-ID: expected a byte offset, got "${"x".repeat(60)}".`],
    ["", { "Last-Event-ID": "1".repeat(16) }, 400, `Last-Event-ID: expected a byte offset, got "${"1".repeat(16)}".`],
  ])("is refused as %j with %j", async (query, headers, status, sentence) => {
    const answer = await relay.request("GET", path + query, { headers });
    expect([answer.status, answer.text]).toEqual([status, `${sentence}\n`]);
  });

  test.each([
    ["x", 400, 'shell: expected the id of a shell, got "x".'],
    ["0", 400, 'shell: expected the id of a shell, got "0".'],
    ["1e3", 400, 'shell: expected the id of a shell, got "1e3".'],
    ["99", 404, "No shell 99 in this session."],
  ])("of the shell %j is refused", async (shell, status, sentence) => {
    const answer = await relay.request("GET", `/v1/sessions/${relay.session}/shells/${shell}/output`);
    expect([answer.status, answer.text.startsWith(sentence)]).toEqual([status, true]);
  });

  test("is refused for a key that may not read output", async () => {
    const { keys, user } = relay.relay;
    const { secret } = keys.create({ owner: user, name: "tiles", restrictions: { methods: ["getTiles"] } });
    const answer = await relay.request("GET", path, { headers: { "X-Service-Token": secret } });
    expect([answer.status, followed]).toEqual([403, []]);
  });
});
