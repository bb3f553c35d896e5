import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Database from "libsql";
import { describe, expect, test } from "vitest";
import { readHostFile } from "../../../../main/shells/host/host-file.ts";
import { ask, attempt } from "../../../chaos/acknowledged.ts";
import { doubleStarts } from "../../../support/double-start.ts";
import { endShellHost } from "../../../support/end-shell-host.ts";
import { freePort } from "../../../support/free-port.ts";
import { type ServeLab, type ServeProcess, startServeLab } from "../../../support/start-serve.ts";
import { until } from "../../../support/until.ts";
import { builtProgram } from "../../cli/built-program.ts";

const createShell = { body: { method: "createShell", params: {} } };
const COMMANDS = "/SESSION/remote/command";

test.each([
  { port: "any port", gaps: [0, 25, 80] },
  { port: "one port", gaps: [0, 40, 150] },
])(
  "of two relays that start together on $port exactly one stays, and the shells with it",
  { tags: "slow" },
  async ({ port, gaps }) => {
    await using lab = await startServeLab();
    const args = ["--client", ...(port === "one port" ? ["--port", String(await freePort())] : [])];
    expect(await doubleStarts(lab, { gaps, args })).toEqual([]);
  },
);

test("a relay that is stopped keeps its shells from a second start, and goes on with them", {
  tags: "slow",
}, async () => {
  await using lab = await startServeLab();
  const port = String(await freePort());
  const relay = { now: await lab.serve(["--client", "--port", port]), key: await lab.makeKey() };
  const { shellId } = await ask<{ shellId: number }>(relay, "createShell");
  const { pid = 0 } = relay.now.child;
  relay.now.child.kill("SIGSTOP");
  try {
    const refused = await failure(lab.serve(["--client", "--port", port]));
    expect(refused).toContain(`(process ${pid}), which does not answer`);
    expect(refused).toContain(`kill -9 ${pid}`);
  } finally {
    relay.now.child.kill("SIGCONT");
  }
  expect(await ask(relay, "runCommand", { command: "echo alive", wait: true })).toMatchObject({ output: "alive\r\n" });
  const made = await ask<{ shellId: number }>(relay, "createShell");
  expect(made.shellId).toBe(shellId + 1);
  // What it says to do does it.
  relay.now.child.kill("SIGSTOP");
  await relay.now.kill();
  relay.now = await lab.serve(["--client", "--port", port]);
  expect(await ask(relay, "getShells")).toMatchObject([{ running: true }, { running: true }]);
});

test("a start whose port is taken touches nothing: no store, no shells", { tags: "slow" }, async () => {
  await using lab = await startServeLab();
  const stranger = createServer().listen(0, "127.0.0.1");
  await once(stranger, "listening");
  const address = stranger.address();
  const taken = typeof address === "object" ? String(address?.port) : "";
  const listed = () => readdirSync(lab.data).filter((name) => !name.startsWith("lock."));
  try {
    expect(await failure(lab.serve(["--port", taken]))).toContain(`Port ${taken} is taken`);
    expect(listed()).toEqual([]);
    const relay = { now: await lab.serve(["--client"]), key: await lab.makeKey() };
    await ask(relay, "createShell");
    await relay.now.kill();
    // The shell host notices that the connection ended, and may log it.
    await delay(300);
    const before = readFileSync(join(lab.data, "logs", "shell-host.log"), "utf8");
    for (const option of [
      ["--port", taken],
      ["--listen", `0.0.0.0:${taken}`],
    ]) {
      expect(await failure(lab.serve(option))).toContain(`Port ${taken} is taken`);
    }
    expect(readFileSync(join(lab.data, "logs", "shell-host.log"), "utf8")).toBe(before);
    relay.now = await lab.serve(["--client"]);
    expect(await ask(relay, "getShells")).toMatchObject([{ running: true }]);
  } finally {
    stranger.close();
  }
});

describe("a relay that has lost its folder stops, and leaves what is another's", { tags: "slow" }, () => {
  test.each<[string, (data: string) => void, string]>([
    [
      "deleted",
      (data) => {
        // Moved first: of a folder that is half deleted the relay may say that the lock file is gone.
        renameSync(data, `${data}.gone`);
        rmSync(`${data}.gone`, { recursive: true });
      },
      "it was deleted or moved away",
    ],
    [
      "replaced",
      (data) => {
        renameSync(data, `${data}.old`);
        mkdirSync(data, { mode: 0o700 });
      },
      "it was replaced by another folder",
    ],
    ["without its lock file", (data) => rmSync(join(data, "lock.db")), "its lock.db was deleted"],
    [
      "claimed by another",
      (data) => {
        const file = join(data, "relay.json");
        writeFileSync(file, readFileSync(file, "utf8").replace(/"pid": \d+/, `"pid": ${process.pid}`));
      },
      "another relay announces itself in it",
    ],
  ])("%s", async (_what, harm, reason) => {
    await using lab = await startServeLab();
    await using _end = endingHostOf(`${lab.data}.old`);
    const relay = { now: await lab.serve(["--client"]), key: await lab.makeKey() };
    await ask(relay, "createShell");
    const ended = once(relay.now.child, "exit");
    harm(lab.data);
    expect(await ended).toEqual([1, null]);
    expect(relay.now.said()).toContain(`The data folder ${lab.data} is no longer this relay's: ${reason}.`);
  });

  test("with another relay in it by then", async () => {
    await using lab = await startServeLab();
    await using _end = endingHostOf(`${lab.data}.old`);
    const first = await lab.serve(["--client"]);
    const ended = once(first.child, "exit");
    first.child.kill("SIGSTOP");
    renameSync(lab.data, `${lab.data}.old`);
    const relay = { now: await lab.serve(["--client"]), key: await lab.makeKey() };
    const { shellId } = await ask<{ shellId: number }>(relay, "createShell");
    first.child.kill("SIGCONT");
    expect(await ended).toEqual([1, null]);
    expect(lstatSync(join(lab.data, "commands.sock")).isSocket()).toBe(true);
    expect(readFileSync(join(lab.data, "relay.json"), "utf8")).toContain(`"pid": ${relay.now.child.pid}`);
    expect(await ask(relay, "getShells")).toMatchObject([{ id: shellId, running: true }]);
    await ask(relay, "sendChat", { message: "still here" });
  });

  test("when another relay takes the shells, its stop neither ends nor forgets them", async () => {
    await using lab = await startServeLab();
    const first = await lab.serve(["--client"]);
    const relay = { now: first, key: await lab.makeKey() };
    const { shellId } = await ask<{ shellId: number }>(relay, "createShell");
    // As on a file system whose locks do not work: the lock file is another one, the rest is the same.
    await stopBetweenWrites(first, lab.data);
    rmSync(join(lab.data, "lock.db"));
    rmSync(join(lab.data, "lock.json"));
    relay.now = await lab.serve(["--client"]);
    const ended = once(first.child, "exit");
    first.child.kill("SIGCONT");
    expect(await ended).toEqual([1, null]);
    expect(first.said()).toMatch(/The relay stops/);
    expect(existsSync(join(lab.data, "commands.sock"))).toBe(true);
    expect(await ask(relay, "getShells")).toMatchObject([{ id: shellId, running: true }]);
    await ask(relay, "sendChat", { message: "still here" });
    await ask(relay, "createShell");
    await relay.now.stop();
  });
});

test.concurrent("after a stop that was killed half-way the next relay makes shells", { tags: "slow" }, async () => {
  await using lab = await startServeLab();
  const relay = { now: await lab.serve(["--client"]), key: await lab.makeKey() };
  // It takes the 3 s that a shell gets to end.
  await ask(relay, "createShell", { command: "trap '' HUP TERM; while :; do sleep 1; done" });
  for (const round of [1, 2]) {
    relay.now.child.kill("SIGTERM");
    await until("the relay to be stopping", () => !existsSync(join(lab.data, "relay.json")));
    await relay.now.kill();
    relay.now = await lab.serve(["--client"]);
    const made = await attempt(relay, COMMANDS, { ...createShell, timeoutMs: 15_000 });
    expect([round, made?.status, made?.text]).toEqual([round, 200, expect.stringContaining("shellId")]);
    await ask(relay, "createShell", { command: "trap '' HUP TERM; while :; do sleep 1; done" });
  }
});

test.concurrent("a host that is told to end does not take the next relay's shells with it", {
  tags: "slow",
}, async () => {
  await using lab = await startServeLab();
  const relay = { now: await lab.serve(["--client"]), key: await lab.makeKey() };
  await ask(relay, "createShell", { command: "trap '' HUP TERM; while :; do sleep 1; done" });
  const host = readHostFile(join(lab.data, "shell-host.json"))?.pid ?? 0;
  await relay.now.kill();
  process.kill(host, "SIGTERM");
  relay.now = await lab.serve(["--client"]);
  const made = await attempt(relay, COMMANDS, { ...createShell, timeoutMs: 15_000 });
  expect(made?.status).toBe(200);
  expect(readHostFile(join(lab.data, "shell-host.json"))?.pid).not.toBe(host);
  expect(await ask(relay, "runCommand", { command: "echo alive", wait: true })).toMatchObject({ output: "alive\r\n" });
});

test("commands that work on the folder itself do so beside a relay, and while several start at once", async () => {
  using program = await builtProgram();
  const data = join(program.folder, "data");
  const create = (name: string) => program.run(["keys", "create", "--name", name, "--data", data]);
  const keys = await Promise.all(["one", "two", "three", "four"].map(create));
  const relay = program.start(["serve", "--port", "0", "--data", data]);
  try {
    keys.push(...(await Promise.all(["five", "six", "seven"].map(create))));
    expect(keys.map(({ code, err }) => [code, err])).toEqual(keys.map(() => [0, ""]));
    await until("the relay to be up", () => existsSync(join(data, "relay.json")));
    const { url } = JSON.parse(readFileSync(join(data, "relay.json"), "utf8")) as { url: string };
    for (const { out } of keys) {
      const answer = await fetch(`${url}/v1/whoami`, { headers: { "X-Service-Token": out.trim() } });
      expect(answer.status).toBe(200);
    }
  } finally {
    relay.kill("SIGTERM");
    await once(relay, "exit");
  }
});

async function failure(start: Promise<ServeProcess>): Promise<string> {
  return start.then(
    () => "it started",
    (error: unknown) => String(error),
  );
}

/** Stops a relay's process. One that stands still within a write would keep the store locked. */
async function stopBetweenWrites({ child }: ServeProcess, data: string): Promise<void> {
  const store = new Database(join(data, "patchbay.db"));
  try {
    await until("a moment between two writes", () => {
      child.kill("SIGSTOP");
      try {
        store.exec("BEGIN IMMEDIATE; ROLLBACK");
        return true;
      } catch {
        child.kill("SIGCONT");
        return false;
      }
    });
  } finally {
    store.close();
  }
}

/** Ends the shells' process of a folder that was moved while it ran. */
function endingHostOf(data: string): AsyncDisposable & { readonly data: ServeLab["data"] } {
  return { data, [Symbol.asyncDispose]: () => endShellHost(data) };
}
