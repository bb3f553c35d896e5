import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ParamRow } from "../../cli/parse/command-row.ts";
import { allCommands } from "../../cli/parse/command-table.ts";
import { allOperations } from "../../cli/parse/operation-table.ts";
import { KnownMachines } from "../../client/known-machines.ts";
import { newRemoteId, Remotes } from "../../client/remotes.ts";
import { specOf } from "../../core/commands/specs.ts";
import { operationNames, operations } from "../../core/operations/index.ts";
import type { OperationSpec } from "../../core/operations/operation.ts";
import { sampleValue } from "../support/sample-value.ts";
import { ok, type Received, sessions, startFakeRelay } from "../unit/cli/fake-relay.ts";
import { type Ran, runCli } from "../unit/cli/run-cli.ts";

/** Words of which the command line itself reads the result. */
const READERS = [
  "agents",
  "agents prices",
  "agents start gemini --acp --no-wait",
  "answer 1 yes",
  "approve",
  "approve ABCD-EFGH",
  "audit",
  "audit verify",
  "conversations resume x",
  "conversations show x",
  "conversations show x --follow",
  "fleet",
  "fleet leave",
  "func get-shell-output 1 --follow",
  "func list-tiles --client desktop",
  "func run --wait ls",
  "func show-tree",
  "history redactions --test FILE",
  "history rerun x",
  "keys create --name x",
  "keys list",
  "keys revoke x",
  "plugins",
  "plugins allow x all",
  "plugins remove x",
  "send-prompt 1 hi --when now",
  "status",
  "token --scope plugins:install",
];
/** Those that show what they do not need as it came: a remote may be of another version. */
const TOLERANT = new Set([
  "agents",
  "agents prices",
  "answer 1 yes",
  "approve ABCD-EFGH",
  "func run --wait ls",
  "plugins",
  "plugins remove x",
  "status",
]);
const EVERYWHERE = ["sessions --all", "agents --all", "questions --all", "search x --all"];

let relay: Awaited<ReturnType<typeof startFakeRelay>>;
let folder: string;
/** The events of its session. */
let events = "";
/** What the remote answers. */
let answer: (request: Received) => unknown;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-answers-"));
  mkdirSync(join(folder, "remotes"), { mode: 0o700 });
  writeFileSync(join(folder, "file"), "text\n");
  answer = () => ({ user: "me" });
  relay = await startFakeRelay((request, response) => {
    if (request.url === "/v1/health") response.end(JSON.stringify({ ok: true, version: "1" }));
    else if (request.url.includes("/events?")) response.setHeader("Content-Type", "text/event-stream").end(events);
    else ok(response, answer(request), { "X-Service-Client": "1" });
  });
  expect(await run(["remotes", "add", "box", "--url", relay.url])).toMatchObject({ code: 0 });
});
beforeEach(() => {
  answer = () => ({ user: "me" });
});
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** Runs the program as `service` does on a machine that has the remote `box`. */
function run(args: readonly string[], isTTY = false): Promise<Ran> {
  const env = { PATCHBAY_DATA: folder, HOME: folder, SERVICE_TOKEN_BOX: `pb_${"A".repeat(43)}`, NO_COLOR: "1" };
  return runCli(args, { env, isTTY, program: "service", ask: async () => "n", async *stdin() {} });
}

/** A command line for each command and operation. */
function* declaredLines(): Generator<readonly string[]> {
  for (const { cli } of allOperations()) {
    if (cli === undefined) continue;
    const action = cli.action === undefined ? [] : [cli.action];
    yield [cli.word, ...action, ...wordsFor(cli.params), "--on", "box"];
  }
  for (const { name, params } of allCommands()) yield ["func", name, ...wordsFor(params), "--on", "box"];
}

/** The command lines of which the program itself reads the result. */
function* ownLines(): Generator<readonly string[]> {
  for (const line of READERS) yield wordsOf(line);
  for (const line of EVERYWHERE) yield line.split(" ");
}

function wordsOf(line: string): string[] {
  return [...line.replace("FILE", join(folder, "file")).split(" "), "--on", "box"];
}

function wordsFor(params: readonly ParamRow[]): string[] {
  return params
    .filter(({ required }) => required)
    .flatMap((param) => (param.byPosition ? [wordFor(param)] : [`--${param.word}`, wordFor(param)]));
}

function wordFor({ kind, choices }: ParamRow): string {
  const words: Partial<Record<ParamRow["kind"], string>> = { number: "1", json: "{}", path: "/x", pairs: "a=b" };
  return choices?.[0] ?? words[kind] ?? "x";
}

/** Answers everything but the list of sessions, so that the rest is asked at all. */
function answerBeyondSessions(given: (request: Received) => unknown): void {
  answer = (request) => (request.url === "/v1/sessions" ? sessions.slice(0, 1) : given(request));
}

/** Returns a result as the declaration of what was asked has it, with `text` wherever any text may stand. */
function sampleFor({ method, url, body }: Received, text: string): unknown {
  const command = typeof body === "object" && body !== null && "method" in body ? String(body.method) : "";
  const spec = specOf(command) ?? operationAt(method, url);
  return spec === undefined ? text : sampleValue(spec.result, text);
}

function operationAt(method: string, url: string): OperationSpec | undefined {
  const parts = partsOf(url);
  const spec = (name: (typeof operationNames)[number]): OperationSpec => operations[name];
  return operationNames.map(spec).find(({ http }) => {
    const wanted = partsOf(`/v1/${http.path}`);
    return (
      http.method === method &&
      wanted.length === parts.length &&
      wanted.every((part, index) => part.startsWith(":") || part === parts[index])
    );
  });
}

function partsOf(url: string): string[] {
  return (url.split("?")[0] ?? "").split("/");
}

const SHAPES: readonly unknown[] = [null, [{}], { toString: 1, length: 3, map: 1, missed: { toString: 1 } }];

/** Runs command lines with each shape as the answer, and returns those that end in a defect. */
async function defectsOf(
  lines: Iterable<readonly string[]>,
  { shapes, terminals }: { readonly shapes: readonly unknown[]; readonly terminals: readonly boolean[] },
): Promise<string[]> {
  const defects: string[] = [];
  for (const line of lines) {
    for (const shape of shapes) {
      answerBeyondSessions(() => shape);
      for (const isTTY of terminals) {
        const ran = await run(line, isTTY).catch((error: unknown) => `${line.join(" ")}: ${error}`);
        if (typeof ran === "string") defects.push(ran);
      }
    }
  }
  return defects;
}

test("an answer of a remote that no relay gives ends in a sentence, whatever reads it", async () => {
  expect(await defectsOf(ownLines(), { shapes: SHAPES, terminals: [true] })).toEqual([]);
});

test("no command of the command line fails at an answer that no relay gives", {
  tags: "slow",
  timeout: 180_000,
}, async () => {
  expect(
    await defectsOf([...ownLines(), ...declaredLines()], {
      shapes: [...SHAPES, "x", 5, {}, [], [null]],
      terminals: [false, true],
    }),
  ).toEqual([]);
});

test.each(READERS.filter((line) => !TOLERANT.has(line)))(
  "the sentence of %s says that no relay answers",
  async (line) => {
    answerBeyondSessions(() => ({ toString: 1 }));
    const sentence = `What answers at ${relay.url} is not a Patchbay relay: check the address.\n`;
    expect(await run(wordsOf(line), true)).toEqual({ code: 1, out: "", err: expect.stringContaining(sentence) });
  },
);

test("what a remote answers does nothing to the terminal, whatever asks it", { timeout: 60_000 }, async () => {
  const words = "x\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u009b2J\u202e";
  answerBeyondSessions((request) => sampleFor(request, words));
  const acted: string[] = [];
  let shown = 0;
  for (const line of [...ownLines(), ...declaredLines()]) {
    if (line.includes("--follow")) continue;
    const { out, err } = await run(line, true);
    // What a shell prints keeps the direction of its letters.
    const acts = line.includes("run") ? /(?![\n\t])\p{Cc}/u : /(?![\n\t])\p{Cc}|\p{Bidi_C}/u;
    if (acts.test(out + err)) acted.push(line.join(" "));
    if (`${out}${err}`.includes(String.raw`\u001b]52;c;`)) shown += 1;
  }
  expect(acted).toEqual([]);
  // The words arrive at all.
  expect(shown).toBeGreaterThan(40);
});

test("events of a remote are its own, whatever they say they are, and do nothing to the terminal", async () => {
  answer = () => sessions.slice(0, 1);
  const feigned = { machine: "local\u001b]52;c;ZXZpbA==\u0007", session: 7, id: "\u001b[2J", seq: 1 };
  events = `data: ${JSON.stringify({ type: "chat.message", data: "\u001b[2J", at: "2026-01-01T00:00:00Z", ...feigned })}\n\n`;
  for (const where of [["--on", "box"], ["--all"]]) {
    const line = ["events", ...where];
    const { out, err } = await run(line, true);
    expect({ line, out }).toEqual({ line, out: expect.stringContaining("chat.message") });
    expect(out + err).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(out).not.toContain("local");
  }
  const { out } = await run(["events", "--all"]);
  expect(JSON.parse(out.trim())).toMatchObject({ machine: "box", session: "default", type: "chat.message" });
});

test("rows of a remote are its own, whichever machine they name", async () => {
  answer = () => sessions.slice(0, 1).map((session) => ({ ...session, machine: "local" }));
  const { out } = await run(["sessions", "--all"]);
  const boxes = (JSON.parse(out) as { machine: string; sessions: { machine: string }[] }[]).filter(
    ({ machine }) => machine === "box",
  );
  expect(boxes.map((group) => group.sessions.map(({ machine }) => machine))).toEqual([["box"]]);
});

test("a remote that changes the protocol is told as one that does not answer", async () => {
  await using server = await startFakeRelay((_request, response) => {
    response.socket?.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n");
  });
  const { code, err } = await run(["sessions", "--url", server.url, "--token", "pb_x"]);
  expect([code, err]).toEqual([5, expect.stringMatching(/changes the protocol/)]);
});

test.each([
  ["keys list", "x\\u001b]52"],
  ["keys list --json", "x\\u001b]52"],
  ["keys create --name x", "x\\u001b]52"],
  ["keys revoke x", "x\\u001b]52"],
  ["func show-tree", "x\\u001b]52"],
])("shows the controls in what a remote answers as escapes: %s", async (line, shown) => {
  const words = "x\u001b]52;c;ZXZpbA==\u0007\u202e\u009b2J";
  answerBeyondSessions((request) => {
    const sample = sampleFor(request, words);
    const asked = JSON.stringify(request.body ?? "");
    if (asked.includes("getLayoutTree")) return { kind: "leaf", tiles: [1], active: 1 };
    // A tile of a type of a newer version.
    return asked.includes("getTiles") ? [{ key: 1, type: words, id: 2, active: true, url: words }] : sample;
  });
  const { out, code } = await run(wordsOf(line), true);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(shown) });
  expect(out).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_C}/u);
});

test("however much a remote lists, it is shown within seconds, and what is not shown is counted", async () => {
  const wide = Object.fromEntries(Array.from({ length: 32_000 }, (_, index) => [`c${index}`, 1]));
  const many = Array.from({ length: 100_000 }, (_, index) => ({
    id: index,
    long: index === 0 ? "x".repeat(2 ** 22) : "",
  }));
  const show = async (line: string, answered: unknown) => {
    answerBeyondSessions(() => answered);
    const start = performance.now();
    const { out, code } = await run(wordsOf(line), true);
    return { code, out, isFast: performance.now() - start < 10_000 };
  };
  expect(await show("agents", [wide])).toEqual({
    ...{ code: 0, isFast: true },
    out: expect.stringMatching(/c0 .*\nMore with --json or a wider terminal: c\d+, .*, and 31\d\d\d others\.\n$/s),
  });
  expect(await show("agents", many)).toEqual({
    ...{ code: 0, isFast: true },
    out: expect.stringMatching(/\n90000 more rows with --json\.\n$/),
  });
  expect(await show("func get-session", wide)).toMatchObject({ code: 0, isFast: true });
  const key = {
    ...{ id: "k", owner: "me", name: "n", scheme: "api", scopes: [], restrictions: {} },
    lastUsedAt: null,
    expiresAt: null,
  };
  const keys = Array.from({ length: 150_000 }, () => ({ ...key, createdAt: "2026-11-21T04:00:00Z" }));
  expect(await show("keys list", keys)).toMatchObject({ code: 0 });
  // One long name gives no other line its width.
  const long = "x".repeat(100_000);
  const { out } = await show("func get-session", { ...wide, [long]: 1 });
  expect(out.length).toBeLessThan(4_000_000);
  const listed = await show("keys list", [...keys.slice(0, 2_000), { ...keys[0], name: long }]);
  expect(listed.out.length).toBeLessThan(1_000_000);
});

test("a machine that answers the panel with more than is read at once is asked no further", async () => {
  const many = Array.from({ length: 200 }, (_, index) => ({ ...sessions[0], id: `session-${index}`.padEnd(16, "x") }));
  const rows = JSON.stringify({ result: Array.from({ length: 2 * 1024 }, (_, a) => ({ a, filler: "x".repeat(16) })) });
  let asked = 0;
  await using flood = await startFakeRelay(({ url }, response) => {
    if (url === "/v1/health") return void response.end(JSON.stringify({ ok: true, version: "1.2.3" }));
    asked += url === "/v1/sessions" ? 0 : 1;
    if (url === "/v1/sessions") ok(response, many);
    else response.end(rows);
  });
  const data = join(folder, "flood");
  new Remotes(data).add("flood", { id: newRemoteId(), url: flood.url, addedAt: "2026-11-21T04:00:00.000Z" });
  const machines = new KnownMachines({
    ...{ data, env: { SERVICE_TOKEN_FLOOD: "pb_fake" }, url: () => "", fleet: () => [], keptQuestions: async () => [] },
    keychain: { get: async () => undefined, set: async () => undefined, delete: async () => true },
  });
  const [flooded] = await machines.list();
  // On a busy machine it is given up for its silence before.
  expect(flooded?.problem).toMatch(
    /^flood (sent more than is read of a machine at once|does not answer: nothing for 2.5 s)\.$/,
  );
  // As many as are asked at the same time, for agents and for questions, and those after the few that were read.
  expect(asked).toBeLessThan(200);
});

test("a machine whose questions are more than is read at once is listed with its sessions and agents, and says so", async () => {
  const filler = JSON.stringify({ result: Array.from({ length: 3 }, () => ({ text: "x".repeat(2 ** 20) })) });
  await using loud = await startFakeRelay(({ url }, response) => {
    if (url === "/v1/health") response.end(JSON.stringify({ ok: true, version: "1.2.3" }));
    else if (url === "/v1/sessions") ok(response, sessions);
    else if (url.endsWith("/questions")) response.end(filler);
    else ok(response, [{ shellId: 1, agentType: "claude", state: "working" }]);
  });
  const data = join(folder, "loud");
  new Remotes(data).add("loud", { id: newRemoteId(), url: loud.url, addedAt: "2026-11-21T04:00:00.000Z" });
  const machines = new KnownMachines({
    ...{ data, env: { SERVICE_TOKEN_LOUD: "pb_fake" }, url: () => "", fleet: () => [], keptQuestions: async () => [] },
    keychain: { get: async () => undefined, set: async () => undefined, delete: async () => true },
  });
  const [listed] = await machines.list();
  expect(listed).toMatchObject({ state: "reachable", key: "valid", questions: [] });
  expect(listed?.sessions).toHaveLength(sessions.length);
  // Those of sessions that have a client.
  expect(listed?.agents).toHaveLength(1);
  expect(listed?.problem).toMatch(/more questions than are read at once/);
});
