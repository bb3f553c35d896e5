import { request as httpRequest, type IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { readEventStream } from "../../../../client/event-stream.ts";
import { OutputEvent } from "../../../../core/protocol/output-events.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

interface Read {
  readonly output: string;
  readonly offset: number;
  readonly end: number;
}

/** Opens the stream of a shell's output; its body is not read yet. */
function open(relay: TestRelay, shell: number, query = "", headers = {}): Promise<IncomingMessage> {
  const url = `${relay.url}/v1/sessions/${relay.session}/shells/${shell}/output${query}`;
  return new Promise((resolve, reject) => {
    httpRequest(url, { headers: { "X-Service-Token": relay.key, ...headers } }, resolve)
      .on("error", reject)
      .end();
  });
}

async function* events(answer: IncomingMessage): AsyncGenerator<OutputEvent & { id: string }> {
  for await (const { id, data } of readEventStream(answer)) yield { ...OutputEvent.parse(JSON.parse(data)), id };
}

/** All output up to the end of the shell. */
async function whole(answer: IncomingMessage): Promise<{ text: string; last: OutputEvent; ids: number[] }> {
  let text = "";
  const ids: number[] = [];
  let last: OutputEvent = { type: "end", data: { exitCode: null } };
  for await (const { id, ...event } of events(answer)) {
    last = event;
    if (event.type !== "output") continue;
    text += event.data.output;
    ids.push(Number(id));
  }
  return { text, last, ids };
}

async function program(relay: TestRelay, script: string): Promise<number> {
  const exec = ["sh", "-c", script];
  return (await relay.command<{ shellId: number }>("createShell", { exec, hold: true, tile: false })).shellId;
}

test("the last lines, of what was printed and of the screen", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const id = await program(relay, 'stty cols 20; seq 1 100; printf "unfinished"');
  await relay.command("waitFor", { id, exit: true });
  const lines = async (params: object) => (await relay.command<Read>("getShellOutput", { id, ...params })).output;
  expect(await lines({ lines: 3 })).toBe("99\r\n100\r\nunfinished");
  expect(await lines({ lines: 1 })).toBe("unfinished");
  expect(await lines({ lines: 2, plain: true })).toBe("100\nunfinished");
  expect(await lines({ lines: 1_000_000 })).toBe(await lines({}));
  expect(await lines({ lines: 60, screen: true })).toMatch(/^42\n43\n[\s\S]*\n100\nunfinished$/);
  const { offset, end } = await relay.command<Read>("getShellOutput", { id, lines: 3 });
  expect((await relay.command<Read>("getShellOutput", { id, since: offset })).end).toBe(end);
});

test("a newline at the end ends the last line and begins none", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const id = await program(relay, "printf 'a\\nb\\n\\nc\\n'");
  await relay.command("waitFor", { id, exit: true });
  const lines = async (count: number) =>
    (await relay.command<Read>("getShellOutput", { id, lines: count, plain: true })).output;
  expect([await lines(1), await lines(2), await lines(3), await lines(9)]).toEqual([
    "c\n",
    "\nc\n",
    "b\n\nc\n",
    "a\nb\n\nc\n",
  ]);
});

test("rows that are one line are joined", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const id = await program(relay, `printf '%s\\n' ${"x".repeat(100)} 'short'`);
  await relay.command("waitFor", { id, exit: true });
  const screen = async (params: object) =>
    (await relay.command<Read>("getShellOutput", { id, screen: true, ...params })).output.split("\n");
  expect((await screen({})).map((line) => line.length)).toEqual([80, 20, 5]);
  expect((await screen({ join: true })).map((line) => line.length)).toEqual([100, 5]);
  expect((await screen({ join: true, lines: 2 })).map((line) => line.length)).toEqual([100, 5]);
});

test("the output of the last command, finished or running", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const { shellId: id } = await relay.command<{ shellId: number }>("createShell");
  const last = async (params: object = {}) =>
    (await relay.command<Read>("getShellOutput", { id, lastCommand: true, plain: true, ...params })).output;
  await relay.command("runCommand", { command: "echo first; seq 1 5", wait: true });
  expect(await last()).toBe("first\n1\n2\n3\n4\n5\n");
  expect(await last({ lines: 2 })).toBe("4\n5\n");
  await relay.command("runCommand", { command: "true", wait: true });
  expect(await last()).toBe("");
  await relay.command("runCommand", { command: "echo begun; sleep 600" });
  await until("the running command's output", async () => (await last()) === "begun\n");
  const plain = await program(relay, "sleep 60");
  const refused = await relay.post({ method: "getShellOutput", params: { id: plain, lastCommand: true } });
  expect(refused.headers.get("x-service-error")).toBe("no_shell_integration");
});

test("the stream has every byte once, from a cursor to the end of the shell", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const id = await program(relay, "seq 1 50000; printf '\\303\\244'; exit 3");
  const { text, last, ids } = await whole(await open(relay, id, "?since=0"));
  const all = await relay.command<Read>("getShellOutput", { id });
  expect(text).toBe(all.output);
  expect(ids.at(-1)).toBe(all.end);
  expect(last).toEqual({ type: "end", data: { exitCode: 3, signal: null } });
  // Resumed at any event's id, the rest is the rest.
  for (const cut of [ids[0] ?? 0, ids[Math.floor(ids.length / 2)] ?? 0]) {
    const rest = await whole(await open(relay, id, "?since=0", { "Last-Event-ID": String(cut) }));
    expect(rest.text).toBe(Buffer.from(all.output).subarray(cut).toString());
  }
});

test("plain text has no escape sequence, however they are cut", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const script =
    "for n in 1 2 3; do printf '\\033[3'; sleep 0.05; printf '1mred\\303'; sleep 0.05; printf '\\244\\033[0m\\r'; sleep 0.05; printf '\\n'; done";
  const id = await program(relay, script);
  const { text } = await whole(await open(relay, id, "?since=0&plain=true"));
  expect(text).toBe("redä\nredä\nredä\n");
});

test("without a cursor it begins now", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const id = await program(relay, "echo before; read line; echo after");
  await relay.command("waitFor", { id, text: "before", since: 0 });
  const answer = await open(relay, id);
  await relay.command("writeToShell", { id, data: "go\\n" });
  expect((await whole(answer)).text).toBe("go\r\nafter\r\n");
});

test("a revoked key ends its stream, and what it may not read it cannot follow", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const id = await program(relay, "while :; do date; sleep 0.1; done");
  const { keys, user } = relay.relay;
  const make = (name: string, methods?: string[]) =>
    keys.create({ owner: user, name, ...(methods === undefined ? {} : { restrictions: { methods } }) }).secret;
  const key = make("to revoke", ["getShellOutput"]);
  const answer = await open(relay, id, "", { "X-Service-Token": key });
  expect(answer.statusCode).toBe(200);
  keys.revoke("to revoke");
  expect((await whole(answer)).last).toMatchObject({ type: "closed", data: { code: "unauthenticated" } });

  const narrow = await open(relay, id, "", { "X-Service-Token": make("narrow", ["getTiles"]) });
  expect([narrow.statusCode, narrow.headers["x-service-error"]]).toEqual([403, "scope_forbids"]);
  const stranger = keys.create({ owner: "someone else", name: "stranger" }).secret;
  expect((await open(relay, id, "", { "X-Service-Token": stranger })).statusCode).toBe(403);
  expect((await open(relay, id, "", { "X-Service-Token": "wrong" })).statusCode).toBe(401);
});

test.each<[shell: number | string, query: string, status: number]>([
  [77, "", 404],
  ["x", "", 400],
  [0, "", 400],
  [1, "?since=-1", 400],
  [1, "?since=1e3", 400],
  [1, "?plain=maybe", 400],
])("%s%s is %i", async (shell, query, status) => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  await program(relay, "sleep 60");
  expect((await open(relay, shell as number, query)).statusCode).toBe(status);
});

test("an offset that is none is named as such", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const id = await program(relay, "sleep 60");
  const { text } = await relay.request("GET", `/v1/sessions/${relay.session}/shells/${id}/output?since=-1`);
  expect(text).toBe('query.since: expected a whole number of at least 0, got "-1".\n');
});

test("the stream of a closed shell ends", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const id = await program(relay, "sleep 600");
  const answer = await open(relay, id);
  await relay.command("closeShell", { id });
  expect((await whole(answer)).last.type).toBe("end");
});

test("a reader that does not read holds up nobody, and is told what it has missed", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const id = await program(relay, "yes abcdefghijklmnopqrstuvwxyz | head -c 60000000; echo the-end");
  const slow = await open(relay, id, "?since=0");
  const before = process.memoryUsage().rss;
  await relay.command("waitFor", { id, exit: true, timeout: 60 });
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  let missed = 0;
  let text = "";
  for await (const event of events(slow)) {
    if (event.type === "missed") missed += event.data.bytes;
    else if (event.type === "output") text += event.data.output;
  }
  expect(missed).toBeGreaterThan(1_000_000);
  expect(text.length + missed).toBeLessThanOrEqual((await relay.command<Read>("getShellOutput", { id })).end);
});
