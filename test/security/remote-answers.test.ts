import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ParamRow } from "../../cli/parse/command-row.ts";
import { allCommands } from "../../cli/parse/command-table.ts";
import { allOperations } from "../../cli/parse/operation-table.ts";
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
/** What the remote answers. */
let answer: (request: Received) => unknown;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-answers-"));
  mkdirSync(join(folder, "remotes"), { mode: 0o700 });
  writeFileSync(join(folder, "file"), "text\n");
  answer = () => ({ user: "me" });
  relay = await startFakeRelay((request, response) => {
    if (request.url === "/v1/health") response.end(JSON.stringify({ ok: true, version: "1" }));
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
  const env = { PATCHBAY_DATA: folder, HOME: folder, SERVICE_TOKEN_BOX: `pb_${"A".repeat(43)}` };
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
