import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RemoteClient } from "../../../client/remote-client.ts";
import { type ServeLab, startServeLab } from "../../support/start-serve.ts";
import { until } from "../../support/until.ts";

const SIGNALS = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;
const SHELLS = ["sh", "dash", "busybox sh", "bash", "bash --posix", "zsh"].filter((shell) => isInstalled(shell));

let lab: ServeLab;
let owner: RemoteClient;
let env: NodeJS.ProcessEnv;
let program: string;
let shell: { readonly shellId: number; readonly key?: number | null | undefined };

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
}, 60_000);

afterAll(() => lab[Symbol.asyncDispose]());

/** Commands that wait, with a time that no test has. */
const waiting: Readonly<Record<string, () => readonly string[]>> = {
  "wait-for": () => ["wait-for", String(shell.shellId), "--text", "never-comes", "--timeout", "600"],
  "run --wait": () => ["run", "--wait", "--timeout", "600", "--tile", String(shell.key), "sleep 600"],
  "events --follow": () => ["events", "--follow"],
  "get-shell-output --follow": () => ["get-shell-output", String(shell.shellId), "--follow"],
};

/** Starts a command as a program that nothing else is told to end, and waits until the relay has it. */
async function start(
  interpreter: string,
  words: readonly string[],
): Promise<ChildProcess & { readonly printed: string }> {
  const [file = "", ...options] = interpreter.split(" ");
  const child = spawn(file, [...options, program, "func", ...words], { env, stdio: ["ignore", "pipe", "pipe"] });
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
  if (words.includes("--follow")) return processes.some((each) => isNode(each) && socketsOf(each) > OUTPUTS);
  return processes.some((each) => each !== pid && /curl|quick-post/.test(commandOf(each)) && socketsOf(each) > 0);
}

async function endsWith(child: ChildProcess, signal: NodeJS.Signals, code: number): Promise<void> {
  const processes = below(child.pid ?? 0);
  const closed = once(child, "close");
  child.kill(signal);
  expect(await closed).toEqual([code, null]);
  await until("every process of it to end", () => processes.every((pid) => commandOf(pid) === ""));
}

describe("a signal to the program alone ends it, its sender and its output", () => {
  test.each(SIGNALS)("%s", async (signal, code) => {
    await endsWith(await start("sh", waiting["wait-for"]?.() ?? []), signal, code);
  });

  describe.each(SHELLS)("in %s", { tags: "slow" }, (interpreter) => {
    const cases = SIGNALS.flatMap(([signal, code]) =>
      Object.keys(waiting).map((name) => [name, signal, code] as const),
    );
    test.each(cases)("%s, %s", async (name, signal, code) => {
      shell = await owner.call("createShell", { tile: true });
      await endsWith(await start(interpreter, waiting[name]?.() ?? []), signal, code);
      await owner.call("closeShell", { id: shell.shellId as never });
    });
  });
});

test("a sender ends after a script that was killed", async () => {
  const child = await start("sh", waiting["wait-for"]?.() ?? []);
  const processes = below(child.pid ?? 0);
  child.kill("SIGKILL");
  await until("its processes to end", () => processes.every((pid) => commandOf(pid) === ""));
});

test("waits give their places back when their callers are gone, over the socket and over HTTP", async () => {
  const wait = (signal: AbortSignal) =>
    owner.ask("waitFor", { id: shell.shellId, text: "never-comes", timeout: 600 }, { signal }).catch(() => undefined);
  const gone = new AbortController();
  const first = await start("sh", waiting["wait-for"]?.() ?? []);
  const waits = Array.from({ length: 63 }, () => wait(gone.signal));
  const another = () => owner.ask("waitFor", { id: shell.shellId, idle: 1, timeout: 5 });
  await until("every place to be taken", () =>
    another().then(
      () => false,
      (error: unknown) => error instanceof Error && error.message.includes("You have 64 waits"),
    ),
  );
  await endsWith(first, "SIGTERM", 143);
  await until("the place of the one", () => another().then(Boolean, () => false));
  gone.abort();
  await Promise.all(waits);
  await until("the others' places", () => another().then(Boolean, () => false));
}, 30_000);

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

function isInstalled(shell: string): boolean {
  const [name = ""] = shell.split(" ");
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));
}
