import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RemoteClient } from "../../../client/remote-client.ts";
import { type ServeLab, startServeLab } from "../../support/start-serve.ts";
import { until } from "../../support/until.ts";

const SIGNALS = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;
const SHELLS = ["sh", "dash", "busybox sh", "bash", "bash --posix", "zsh"].filter(isInstalled);

/** A command ends within 100 ms on an idle machine. One that waits for what it was to stop takes ten minutes. */
const ENDS_WITHIN_MS = 3000;
/** Waits that one caller may have open in a session. */
const PLACES = 64;

interface CreatedShell {
  readonly shellId: number;
  readonly key?: number | null | undefined;
}

let lab: ServeLab;
let owner: RemoteClient;
let env: NodeJS.ProcessEnv;
let program: string;
let shell: CreatedShell;
/** A shell whose programs ask. */
let asking: { readonly token: string; readonly questions: () => Promise<string> };
/** What the runs of this file have measured. */
const table: object[] = [];

beforeAll(async () => {
  lab = await startServeLab();
  const relay = await lab.serve(["--client"]);
  const home = join(lab.data, "..");
  mkdirSync(join(home, "bin"));
  program = join(home, "bin", "service");
  copyFileSync("bin/service", program);
  const key = await lab.makeKey();
  owner = new RemoteClient({ url: relay.url, token: key, session: relay.session });
  env = { HOME: home, PATCHBAY_DATA: lab.data, SERVICE_TOKEN: key, PATH: process.env.PATH };
  shell = await owner.call("createShell");
  const file = join(home, "token");
  await owner.call("createShell", { command: `printf %s "$SERVICE_TOKEN" > '${file}'; exec cat` });
  const token = await until("the token", () => read(file) || undefined);
  const questions = `${relay.url}/v1/sessions/${relay.session}/questions`;
  asking = {
    token,
    questions: async () => (await fetch(questions, { headers: { "X-Service-Token": token } })).text(),
  };
}, 60_000);

afterAll(async () => {
  if (table.length > 0) console.table(table);
  await lab[Symbol.asyncDispose]();
});

/** Commands that wait, with a time that no test has. */
const waiting = {
  "wait-for": ({ shellId }: CreatedShell) => ["wait-for", String(shellId), "--text", "never-comes", "--timeout", "600"],
  "run --wait": ({ key }: CreatedShell) => ["run", "--wait", "--timeout", "600", "--tile", String(key), "sleep 600"],
  "events --follow": () => ["events", "--follow"],
  ask: () => ["ask", "Deploy?", "--wait", "600"],
  "get-shell-output --follow": ({ shellId }: CreatedShell) => ["get-shell-output", String(shellId), "--follow"],
};
const ROWS = Object.entries(waiting).flatMap(([name, words]) =>
  SIGNALS.map(([signal, code]) => ({ name, words, signal, code })),
);

/** Starts a command as a program that nothing else is told to end, and waits until the relay has it. */
async function start(
  interpreter: string,
  words: readonly string[],
): Promise<ChildProcess & { readonly printed: string }> {
  const [file = "", ...options] = interpreter.split(" ");
  const isAsking = words[0] === "ask";
  const child = spawn(file, [...options, program, ...(isAsking ? [] : ["func"]), ...words], {
    env: isAsking ? { ...env, SERVICE_TOKEN: asking.token } : env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const told = { printed: "" };
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (piece) => (told.printed += String(piece)));
  await until(`${words.join(" ")} to be under way`, async () => {
    expect(child.exitCode, told.printed).toBeNull();
    return isUnderWay(child.pid ?? 0, words);
  });
  return Object.defineProperty(child, "printed", { get: () => told.printed }) as ChildProcess & { printed: string };
}

/** The pipes that this process gives a child are sockets too. */
const OUTPUTS = 2;

/** Whether the sender, or the command line itself, is connected. */
function isUnderWay(pid: number, words: readonly string[]): boolean {
  const processes = below(pid);
  if (words.includes("--follow") || words[0] === "ask")
    return processes.some((each) => isNode(each) && socketsOf(each) > OUTPUTS);
  return processes.some((each) => each !== pid && /curl|quick-post/.test(commandOf(each)) && socketsOf(each) > 0);
}

/** Resolves to how long it takes, in ms. */
async function endsWith(child: ChildProcess, signal: NodeJS.Signals, code: number): Promise<number> {
  const processes = below(child.pid ?? 0);
  const closed = once(child, "close");
  const from = performance.now();
  child.kill(signal);
  expect(await closed).toEqual([code, null]);
  const ms = performance.now() - from;
  expect(ms).toBeLessThan(ENDS_WITHIN_MS);
  await until("every process of it to end", () => processes.every((pid) => commandOf(pid) === ""));
  return Math.round(ms);
}

test.each(SIGNALS)("%s to the program alone ends it, its sender and its output", async (signal, code) => {
  await endsWith(await start("sh", waiting["wait-for"](shell)), signal, code);
});

test.each(SHELLS)(
  "in %s, each signal ends each command that waits, and a wait gives its place back",
  { tags: "slow", timeout: 120_000 },
  async (interpreter) => {
    const rows = await Promise.all(
      ROWS.map(async (row) => {
        const own = await owner.call("createShell", { tile: true });
        return { ...row, own, child: await start(interpreter, row.words(own)) };
      }),
    );
    await using others = new OtherWaits();
    others.hold(PLACES - rows.filter(isWait).length);
    for (const row of rows) {
      if (isWait(row)) await until("every place to be taken", noPlaceIsFree);
      const asked = await openQuestions();
      const ms = await endsWith(row.child, row.signal, row.code);
      const { name, signal, code } = row;
      table.push({ shell: interpreter, command: name, signal, "exit code": code, "ended after ms": ms });
      if (name === "ask")
        await until("its question to be withdrawn", async () => (await openQuestions()) === asked - 1);
      if (isWait(row)) {
        await until(`the place of ${row.name} after ${row.signal}`, aPlaceIsFree);
        others.hold(1);
      }
      await owner.call("closeShell", { id: row.own.shellId as never });
    }
  },
);

test("a sender ends after a script that was killed", async () => {
  const child = await start("sh", waiting["wait-for"](shell));
  const processes = below(child.pid ?? 0);
  child.kill("SIGKILL");
  await until("its processes to end", () => processes.every((pid) => commandOf(pid) === ""));
});

test("waits give their places back when their callers are gone, over the socket and over HTTP", async () => {
  const first = await start("sh", waiting["wait-for"](shell));
  {
    await using others = new OtherWaits();
    others.hold(PLACES - 1);
    await until("every place to be taken", noPlaceIsFree);
    await endsWith(first, "SIGTERM", 143);
    await until("the place of the one", aPlaceIsFree);
    others.hold(1);
    await until("it to be taken again", noPlaceIsFree);
  }
  await until("the others' places", aPlaceIsFree);
}, 30_000);

function isWait({ name }: { readonly name: string }): boolean {
  return !name.includes("--follow") && name !== "ask";
}

async function openQuestions(): Promise<number> {
  return (await asking.questions()).split('"state":"open"').length - 1;
}

/** Waits over HTTP that take the owner's places, until disposed. */
class OtherWaits implements AsyncDisposable {
  readonly #open: { readonly gone: AbortController; readonly answer: Promise<unknown> }[] = [];

  hold(count: number): void {
    const params = { id: shell.shellId, text: "never-comes", timeout: 600 };
    for (let n = 0; n < count; n += 1) {
      const gone = new AbortController();
      const answer = owner.ask("waitFor", params, { signal: gone.signal }).catch(() => undefined);
      this.#open.push({ gone, answer });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { gone } of this.#open) gone.abort();
    await Promise.all(this.#open.map(({ answer }) => answer));
  }
}

async function aPlaceIsFree(): Promise<boolean> {
  return (await askForPlace()) === "";
}

async function noPlaceIsFree(): Promise<boolean> {
  return (await askForPlace()).includes(`You have ${PLACES} waits`);
}

/** Returns why the owner may not wait once more, or nothing. */
async function askForPlace(): Promise<string> {
  try {
    await owner.ask("waitFor", { id: shell.shellId, idle: 1, timeout: 5 });
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A process and all below it. */
function below(pid: number): number[] {
  const parents = readdirSync("/proc").flatMap((name) => {
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : "";
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    return stat === "" ? [] : [[Number(name), parent] as const];
  });
  const found = [pid];
  for (const one of found) found.push(...parents.filter(([, parent]) => parent === one).map(([child]) => child));
  return found;
}

function socketsOf(pid: number): number {
  try {
    const fds = readdirSync(`/proc/${pid}/fd`);
    return fds.filter((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith("socket:")).length;
  } catch {
    return 0;
  }
}

function isNode(pid: number): boolean {
  return commandOf(pid).includes("main.js");
}

/** Empty for a process that has ended. */
function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function isInstalled(interpreter: string): boolean {
  const [name = ""] = interpreter.split(" ");
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));
}
