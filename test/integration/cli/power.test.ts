import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn as spawnPty } from "@lydell/node-pty";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runHere } from "../../support/run-local.ts";
import { startTestRelay, type TestRelay } from "../../support/test-relay.ts";
import { until } from "../../support/until.ts";
import { builtProgram, type Finished } from "./built-program.ts";

let program: Awaited<ReturnType<typeof builtProgram>>;
let relay: TestRelay;
let client: Awaited<ReturnType<TestRelay["join"]>>;

beforeAll(async () => {
  program = await builtProgram();
});
afterAll(() => program[Symbol.dispose]());
beforeEach(async () => {
  relay = await startTestRelay();
  client = await relay.join();
  return async () => {
    await client[Symbol.asyncDispose]();
    await relay[Symbol.asyncDispose]();
  };
});

const env = () => ({ SERVICE_URL: relay.url, SERVICE_TOKEN: relay.key, SERVICE_SESSION: relay.session });
/** What is about no process: in this one, which is five times as fast. */
const func = (...words: string[]) => runHere(["func", ...words], { env: { HOME: program.folder, ...env() } });

/** As `start`, on a terminal, where the command line passes Ctrl-C on. All that it prints is in `said.out`. */
function startOnTerminal(...words: string[]) {
  const pty = spawnPty(process.execPath, [program.main, "func", ...words], {
    env: { PATH: process.env.PATH, HOME: program.folder, PATCHBAY_PROGRAM: "service", ...env() },
  });
  const said = { out: "" };
  pty.onData((piece) => {
    said.out += piece;
  });
  const done = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
  return { interrupt: () => pty.write("\x03"), said, done };
}

/** A run whose input and signals are the test's. */
function start(...words: string[]): {
  child: ChildProcess;
  said: { out: string; err: string };
  done: Promise<Finished>;
} {
  const child = spawn(process.execPath, [program.main, "func", ...words], {
    env: { PATH: process.env.PATH, HOME: program.folder, PATCHBAY_PROGRAM: "service", ...env() },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  child.stdout?.on("data", (piece) => {
    said.out += String(piece);
  });
  child.stderr?.on("data", (piece) => {
    said.err += String(piece);
  });
  const done = once(child, "close").then(([code]) => ({ code: code as number | null, ...said }));
  return { child, said, done };
}

async function make(...words: string[]): Promise<string> {
  const { code, out, err } = await func("create-shell", ...words);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return String((JSON.parse(out) as { shellId: number }).shellId);
}

test("a program is given as words after --, as words after --exec, or as a line", async () => {
  const ways: [string[], string][] = [
    [["--hold", "--env", "A=x y", "--", "sh", "-c", 'printf %s "$A-$1"', "sh", "two words"], "x y-two words"],
    [["--hold", "--exec", "printf", "%s|", "a b", "c"], "a b|c|"],
    [["--hold", "--exec", `printf '%s|' "a b" c\\ d`], "a b|c d|"],
  ];
  for (const [words, printed] of ways) {
    const id = await make(...words);
    await func("wait-for", id, "--exit");
    expect((await func("get-shell-output", id)).out).toBe(printed);
  }
});

test("what comes from the standard input or a file is written as it is, also when it is long", async () => {
  const text = `a\\nb\n${"é😀\r\n".repeat(60_000)}`;
  const bytes = Buffer.from(text.replaceAll("\r\n", "\r").replaceAll("\n", "\r"));
  const script = `stty raw -echo; printf ready; head -c ${bytes.length} | cksum; sleep 60`;
  const id = await make("--", "sh", "-c", script);
  await func("wait-for", id, "--text", "ready", "--since", "0");
  const expected = spawn("cksum");
  expected.stdin.end(bytes);
  let sum = "";
  expected.stdout.on("data", (piece) => {
    sum += String(piece);
  });
  await once(expected, "close");
  const { child, done } = start("write-to-shell", id, "-");
  child.stdin?.end(text);
  expect(await done).toMatchObject({ code: 0, err: "" });
  await func("wait-for", id, "--fixed", "--text", sum.trim(), "--since", "0");

  const cat = await make("--", "cat");
  const file = join(program.folder, "notes.txt");
  writeFileSync(file, "from \\n the file\n");
  expect(await func("write-to-shell", cat, "--file", file)).toMatchObject({ code: 0 });
  expect(await func("wait-for", cat, "--fixed", "--text", "from \\n the file", "--since", "0")).toMatchObject({
    code: 0,
  });
  writeFileSync(file, Buffer.from([0x61, 0xff]));
  expect(await func("write-to-shell", cat, "--file", file)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/not UTF-8/),
  });
  expect(await func("write-to-shell", cat, "--file", "/nowhere")).toMatchObject({
    code: 2,
    err: expect.stringMatching(/cannot be read/),
  });
  expect(await func("write-to-shell", "77", "--file", "/dev/null")).toMatchObject({ code: 1 });
});

test("--follow prints what comes until the shell ends", async () => {
  const id = await make("--hold", "--", "sh", "-c", "echo one; echo two; read line; echo three; exit 5");
  await func("wait-for", id, "--text", "two", "--since", "0");
  const { said, done } = start("get-shell-output", id, "--lines", "1", "--follow", "--plain");
  await until("the start", () => said.out.includes("two"));
  await func("send-keys", id, "go", "Enter");
  expect(await done).toEqual({ code: 0, out: "two\ngo\nthree\n", err: "" });
});

test("Ctrl-C ends --follow, and the shell goes on", async () => {
  const id = await make("--", "sh", "-c", "echo one; sleep 600");
  const { child, said, done } = start("get-shell-output", "--match", "title:sh", "--follow");
  await until("the start", () => said.out.includes("one"));
  child.kill("SIGINT");
  expect(await done).toMatchObject({ code: 130, err: "" });
  expect(JSON.parse((await func("list-shells")).out)).toMatchObject([{ id: Number(id), running: true }]);
});

test("Ctrl-C during run --wait interrupts the command, and its exit code is told", async () => {
  await make();
  const { interrupt, said, done } = startOnTerminal("run", "--wait", "echo begun; sleep 600");
  await func("wait-for", "1", "--text", "^begun", "--since", "0", "--timeout", "20");
  interrupt();
  expect(await done).toBe(130);
  expect(said.out).toMatch(/Ctrl-C is sent[\s\S]*begun/);
  expect(said.out).not.toMatch(/Left/);
  expect(await func("run", "--wait", "echo $((40+2))")).toMatchObject({ code: 0, out: expect.stringMatching(/42/) });
});

test("a second Ctrl-C leaves a command that ignores the first", async () => {
  await make();
  const line = "sh -c 'trap \"echo ignored\" INT; while :; do sleep 0.1; done'";
  const { interrupt, said, done } = startOnTerminal("run", "--wait", line);
  await until("the command to run", async () => (await shellProcess()) !== null);
  interrupt();
  await until("the notice", () => said.out.includes("Ctrl-C is sent"));
  await func("wait-for", "1", "--text", "ignored$", "--since", "0", "--timeout", "20");
  interrupt();
  expect(await done).toBe(130);
  expect(said.out).toMatch(/Left; the command may go on/);
  expect(await shellProcess()).not.toBeNull();
});

test("listings are printed by a template, and shells are found by what they are", async () => {
  await make("--title", "first", "--", "sleep", "60");
  await make("--title", "second", "--", "sleep", "60");
  await func("rename-tile", "label one", "1");
  expect((await func("list-shells", "--format", "{id}\\t{title}\\t{label}")).out).toBe(
    "1\tfirst\tlabel one\n2\tsecond\t\n",
  );
  expect((await func("--format", "{key}={label}", "list-tiles")).out).toBe("1=label one\n2=\n");
  expect((await func("get-layout", "--format", "{key} {w}")).out).toBe("1 0.5\n2 0.5\n");
  expect((await func("list-users", "--format", "{id} {role} {idle}")).out).toMatch(/^1 admin \d+\n$/);
  expect((await func("list-shells", "--format", "{idle}")).out).toMatch(/^\d+\n\d+\n$/);
  await func("maximize", "--tile", "1");
  expect((await func("show-tree")).out).toMatch(/\[1\] shell 1 label one \S+ \(maximized\) \*/);
  expect(await func("close-shell", "--match", "title:s")).toMatchObject({
    code: 1,
    err: expect.stringMatching(/be more exact.*1 first.*2 second/),
  });
  expect(await func("close-shell", "--match", "label:one")).toMatchObject({ code: 0 });
  expect((await func("list-shells", "--format", "{id}")).out).toBe("2\n");
});

async function shellProcess(): Promise<string | null | undefined> {
  const [shell] = await relay.command<{ process?: string | null }[]>("getShells");
  return shell?.process ?? null;
}
