import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { spawn as spawnPty } from "@lydell/node-pty";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MethodName } from "../../../core/commands/specs.ts";
import { methodNames, specs } from "../../../core/commands/specs.ts";
import { sendJson, startHostileRelay } from "../../support/hostile-relay.ts";
import { whereIs } from "../../support/old-curl.ts";
import { type ServeLab, type ServeProcess, startServeLab } from "../../support/start-serve.ts";
import { until } from "../../support/until.ts";
import type { Finished } from "./built-program.ts";

/** `SS_CONNECTED` of the kernel, as /proc/net/unix prints it. */
const CONNECTED = "03";
const POST = join("dist", "cli", "quick-post.cjs");
let lab: ServeLab;
let relay: ServeProcess;
let key: string;
/** A PATH with curl, and without Node: what does not go the fast way fails there. */
let withoutNode: string;
/** A PATH with Node, and without curl. */
let withoutCurl: string;

beforeAll(async () => {
  lab = await startServeLab();
  relay = await lab.serve(["--client"]);
  key = await lab.makeKey();
  const folder = join(lab.data, "..");
  mkdirSync(join(folder, "bin"));
  copyFileSync("bin/service", join(folder, "bin", "service"));
  withoutNode = join(folder, "tools");
  mkdirSync(withoutNode);
  for (const tool of ["curl", "stty", "readlink"]) symlinkSync(whereIs(tool), join(withoutNode, tool));
  withoutCurl = join(folder, "node-alone");
  mkdirSync(withoutCurl);
  symlinkSync(process.execPath, join(withoutCurl, "node"));
  // Without the command line itself: what does not go the fast way fails there too.
  mkdirSync(join(folder, "alone", "dist", "cli"), { recursive: true });
  cpSync(join(folder, "bin"), join(folder, "alone", "bin"), { recursive: true });
  copyFileSync(join(folder, POST), join(folder, "alone", POST));
}, 60_000);

afterAll(async () => {
  await lab[Symbol.asyncDispose]();
});

describe("both fast ways and the command line itself say the same", () => {
  const reads = methodNames.filter(
    (method) => specs[method].role === "reader" && specs[method].params.safeParse({}).success,
  );
  const commands = reads.flatMap((method: MethodName) =>
    specs[method].cli.flatMap(({ name, args = [] }) => (args.length === 0 ? [[name]] : [])),
  );

  const saysTheSame = async (words: readonly string[]) => {
    const args = ["func", ...words];
    const wanted = await node(args);
    expect(await quick(args)).toEqual(wanted);
    expect(await quickWithoutCurl(args)).toEqual(wanted);
  };

  test.each([...commands, ...commands.map((words) => [...words, "--json"])].map((words) => [words]))(
    "func %j",
    { tags: "slow" },
    saysTheSame,
  );

  test.each(
    [
      ["list-tiles"],
      [],
      ["set-ratio", "2"],
      ["nope"],
      ["list-tiles", "--client", "77"],
      ["list-tiles", "--token", "wrong"],
      ["close-shell", "12345"],
    ].map((words) => [words]),
  )("func %j", saysTheSame);

  test.each(
    [
      ["list-tiles", "--json"],
      ["--help"],
      ["help", "run"],
      ["split-h", "--help"],
      ["set-ratio"],
      ["set-ratio", "0.3", "--tile", "99"],
      ["list-tiel"],
      ["list-tiles", "too", "many"],
      ["list-tiles", "--session", "no such"],
      ["list-tiles", "--url", "ftp://x"],
      ["toast", "x", "--kind", "loud"],
      ["broadcast-event", "x", "--data", "{"],
    ].map((words) => [words]),
  )("func %j", { tags: "slow" }, saysTheSame);

  test("without a key", async () => {
    const none = { SERVICE_TOKEN: undefined };
    expect(await quick(["func", "list-tiles"], none)).toEqual(await node(["func", "list-tiles"], none));
  });

  test("a command's own output and exit code", async () => {
    await quick(["func", "create-shell"]);
    const line = ["func", "run", "--wait", "printf 'two\\nlines \\303\\244'; exit_with() { return 7; }; exit_with"];
    const fast = await quick(line);
    expect(fast).toMatchObject({ code: 7, out: expect.stringContaining("lines ä") });
    const wanted = await node(line);
    expect(fast).toEqual(wanted);
    expect(await quickWithoutCurl(line)).toEqual(wanted);
  });
});

test("whatever is typed arrives as it is", { tags: "slow" }, async () => {
  const word = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 200 })
    .filter((text) => /^[^-\0]/.test(text) && !(text.includes("\n") && text.includes("\x1f")));
  await fc.assert(
    fc.asyncProperty(word, async (text) => {
      const sent = await quick(["func", "send-chat", "--json", "--", text]);
      expect(sent.err).toBe("");
      expect(JSON.parse(sent.out)).toMatchObject({ text });
      const again = await quickWithoutCurl(["func", "send-chat", "--json", "--", text]);
      expect(JSON.parse(again.out)).toMatchObject({ text });
    }),
    {
      numRuns: 40,
      examples: [['it\'s "quoted"\n\ttwice  '], ["$(id) `id` \\n \\0101 %s"], ["ä😀"], ["x".repeat(8000)]],
    },
  );
});

test("words with every separator in them go to Node, and arrive", async () => {
  const text = "two\nlines\x1fand more";
  const { err, out } = await service(["func", "send-chat", "--json", "--", text], { PATH: process.env.PATH });
  expect([err, JSON.parse(out).text]).toEqual(["", text]);
});

test("what is no single answer goes to Node, and works", async () => {
  const events = await service(["func", "events"], { PATH: process.env.PATH });
  expect(events).toMatchObject({ code: 0, err: "" });
  const byFolder = await service(["func", "list-tiles", "--data", lab.data], { PATH: process.env.PATH });
  expect(byFolder).toMatchObject({ code: 0, err: "" });
});

describe("another machine is not reached over the socket", () => {
  beforeAll(async () => {
    const env = { PATH: process.env.PATH, SERVICE_TOKEN_BOX: key };
    expect(await service(["remotes", "add", "box", "--url", relay.url], env)).toMatchObject({ code: 0 });
  });

  test.each([
    [["func", "list-tiles", "--on", "box"], {}],
    [["func", "--on", "box", "list-tiles"], {}],
    [["--on", "box", "func", "list-tiles"], {}],
    [["func", "list-tiles", "--on=box", "--json"], {}],
    [["func", "list-tiles", "--on", "bxo"], {}],
    [["func", "list-tiles", "--on", "box", "--url", "http://127.0.0.1:1"], {}],
    [["func", "list-tiles", "--url", "http://127.0.0.1:1"], {}],
    [["func", "list-tiles", "--on"], {}],
    [["func", "list-tiles", "--on", "local"], {}],
    [["func", "list-tiles"], { SERVICE_ON: "box" }],
    [["func", "list-tiles"], { SERVICE_ON: "bxo" }],
    [["func", "list-tiles"], { SERVICE_ON: "" }],
    [["func", "list-tiles", "--data", "/nowhere"], { SERVICE_ON: "box" }],
    [["func", "list-tiles", "--url", "http://127.0.0.1:1"], { SERVICE_ON: "box" }],
  ] as readonly (readonly [string[], NodeJS.ProcessEnv])[])("%j with %j", { tags: "slow" }, async (args, more) => {
    const own = { SERVICE_TOKEN_BOX: key, ...more };
    expect(await service(args, { PATH: process.env.PATH, ...own })).toEqual(await node(args, own));
  });

  test("the words do not reach the relay, which would execute them here", async () => {
    // Where there is no Node, the slow way fails.
    const before = await node(["func", "get-chat"]);
    for (const [args, more] of [
      [["func", "send-chat", "hello", "--on", "box"], {}],
      [["func", "send-chat", "--on=box", "hello"], {}],
      [["func", "send-chat", "hello"], { SERVICE_ON: "box" }],
    ] as const) {
      expect(await quick(args, { SERVICE_TOKEN_BOX: key, ...more })).toMatchObject({ out: "" });
      expect((await quick(args, { SERVICE_TOKEN_BOX: key, ...more })).code).not.toBe(0);
    }
    expect(await node(["func", "get-chat"])).toEqual(before);
  });

  test("what answers at another address is asked by the caller's own process, and never by the relay", async () => {
    await using other = await startHostileRelay();
    other.answer = (_request, response) => sendJson(response, { result: [] });
    for (const [args, more] of [
      [["func", "get-chat", "--session", "Abcdefgh12345678", "--url", other.url], {}],
      [["func", "get-chat", "--session", "Abcdefgh12345678"], { SERVICE_URL: other.url }],
    ] as const) {
      expect(await quick(args, more)).toMatchObject({ out: "" });
      expect(other.asked).toEqual([]);
      expect(await service(args, { PATH: process.env.PATH, ...more })).toMatchObject({ code: 0, out: "[]\n" });
      expect(other.asked.splice(0)).not.toEqual([]);
    }
  });
});

test("the socket is the user's own, and the key stands in no process list", async () => {
  expect(statSync(join(lab.data, "commands.sock")).mode & 0o777).toBe(0o600);
  const shell = JSON.parse((await quick(["func", "create-shell", "--json"])).out) as { shellId: number };
  const waiting = quick(["func", "wait-for", String(shell.shellId), "--text", "never-comes", "--timeout", "3"]);
  await until("the command to be under way", isConnected);
  expect(commandLines().filter((line) => line.includes(key))).toEqual([]);
  expect((await waiting).code).not.toBe(0);
});

test("a reader that has seen enough is no failure", async () => {
  const child = spawn("/bin/sh", ["-c", `"${program()}" func --help | head -1`], {
    env: environment({ PATH: process.env.PATH }),
  });
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(0);
});

test.each([60, 100, 150])("a table has the width of a terminal of %d columns", async (columns) => {
  const shells = await widest(columns);
  expect(shells).toBeLessThanOrEqual(columns);
  // A relay that was not told the width would take 80 columns.
  if (columns > 80) expect(shells).toBeGreaterThan(80);
});

test("a relative path goes the slow way, because only that knows from where it is seen", async () => {
  // Where there is no Node, the slow way fails.
  expect((await quick(["func", "create-shell", "--cwd", "below"])).code).not.toBe(0);
  const made = await quick(["func", "create-shell", "--cwd", "/", "--no-tile"]);
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining("shellId") });
});

test("a relay that died is told, and a command that it took with it", async () => {
  const { shellId } = JSON.parse((await quick(["func", "create-shell", "--json"])).out) as { shellId: number };
  const waiting = quick(["func", "wait-for", String(shellId), "--text", "never-comes", "--timeout", "60"]);
  await until("the command to be under way", isConnected);
  await relay.kill();
  expect(await waiting).toMatchObject({ code: 5, err: expect.stringContaining("the relay was lost") });
  const lost = quickWithoutCurl(["func", "list-tiles"]);
  expect(await lost).toMatchObject({ code: 1, err: expect.stringContaining("is not built yet") });
  const after = await service(["func", "list-tiles"], { PATH: process.env.PATH });
  expect(after).toMatchObject({ code: 5, err: expect.stringContaining("has ended without notice") });
  // For the other tests, which know its address.
  relay = await lab.serve(["--client", "--port", new URL(relay.url).port]);
});

/** The widest line of list-shells in a terminal. */
async function widest(columns: number): Promise<number> {
  await quick(["func", "create-shell", "--no-tile"]);
  const env = Object.fromEntries(
    Object.entries(environment({ PATH: withoutNode })).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const terminal = spawnPty("/bin/sh", [program(), "func", "list-shells"], { cols: columns, rows: 24, env });
  let text = "";
  terminal.onData((piece) => (text += piece));
  await new Promise<void>((resolve) => terminal.onExit(() => resolve()));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
  const lines = text.replace(/\u001b\[[0-9;]*m/g, "").split(/\r?\n/);
  return Math.max(...lines.filter((line) => !line.startsWith("More with")).map((line) => line.length));
}

/** `bin/service` where there is no Node. */
function quick(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Finished> {
  return service(args, { PATH: withoutNode, ...more });
}

/** `bin/service` where there is no curl, and of the command line only what stands in for curl. */
function quickWithoutCurl(args: readonly string[]): Promise<Finished> {
  const alone = join(lab.data, "..", "alone", "bin", "service");
  const env = environment({ PATH: withoutCurl });
  return finished(spawn("/bin/sh", [alone, ...args], { env, stdio: ["ignore", "pipe", "pipe"] }));
}

async function service(args: readonly string[], more: NodeJS.ProcessEnv): Promise<Finished> {
  return finished(
    spawn("/bin/sh", [program(), ...args], { env: environment(more), stdio: ["ignore", "pipe", "pipe"] }),
  );
}

function node(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Finished> {
  const main = join(lab.data, "..", "dist/cli/main.js");
  const env = environment({ PATCHBAY_PROGRAM: "service", PATH: process.env.PATH, ...more });
  return finished(spawn(process.execPath, [main, ...args], { env, stdio: ["ignore", "pipe", "pipe"] }));
}

async function finished(child: ReturnType<typeof spawn>): Promise<Finished> {
  let [out, err] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (piece: string) => (out += piece));
  child.stderr?.setEncoding("utf8").on("data", (piece: string) => (err += piece));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, err };
}

function environment(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { HOME: join(lab.data, ".."), PATCHBAY_DATA: lab.data, SERVICE_TOKEN: key, ...more };
}

function program(): string {
  return join(lab.data, "..", "bin", "service");
}

/** The command lines of all processes that may be looked at. */
function commandLines(): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      return [readFileSync(`/proc/${pid}/cmdline`, "utf8")];
    } catch {
      return [];
    }
  });
}

/** Whether a command is connected to the relay's socket, which the kernel knows by the name that it was bound to. */
function isConnected(): boolean {
  const sockets = readFileSync("/proc/net/unix", "utf8").split("\n");
  return sockets.some((line) => line.split(" ")[5] === CONNECTED && line.endsWith(` ${lab.data}/.${relay.child.pid}`));
}
