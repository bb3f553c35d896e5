import { execFileSync, spawn } from "node:child_process";
import { once as onceOf } from "node:events";
import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readHostFile } from "../../main/shells/host/host-file.ts";
import { runningProcesses } from "../support/processes.ts";
import { startServeLab } from "../support/start-serve.ts";
import { until } from "../support/until.ts";
import { ask, attempt } from "./acknowledged.ts";

const command = (method: string, params: object = {}) => ({ body: { method, params } });
const COMMANDS = "/SESSION/remote/command";

test.skipIf(process.platform !== "linux")(
  "a disk that is full: writes are refused with 507, what is there is read, shells run on, and freed space heals",
  async () => {
    await using lab = await startServeLab();
    const relay = { now: await lab.serve(["--client"]), key: await lab.makeKey() };
    await ask(relay, "createShell");
    await ask(relay, "sendChat", { message: "before" });
    const pid = relay.now.child.pid ?? 0;
    // No file of the relay may grow beyond what the store's log has now: the same to SQLite as a full disk.
    await limitFiles(pid, 4096);
    const refused = await until("the refusal", async () => {
      const answer = await attempt(relay, COMMANDS, command("sendChat", { message: "x".repeat(4000) }));
      return answer?.status === 200 ? undefined : answer;
    });
    expect(refused).toMatchObject({ status: 507, text: expect.stringContaining("free some space") });
    expect(await attempt(relay, COMMANDS, command("renameTile", { key: 1, name: "new" }))).toMatchObject({
      status: 507,
    });
    expect(await attempt(relay, COMMANDS, command("createShell"))).toMatchObject({ status: 507 });
    expect(await ask<object[]>(relay, "getShells")).toHaveLength(1);
    expect((await ask<{ text: string }[]>(relay, "getChat"))[0]).toMatchObject({ text: "before" });
    expect(await ask(relay, "runCommand", { command: "echo alive", wait: true })).toMatchObject({
      output: "alive\r\n",
    });
    await limitFiles(pid, "unlimited");
    await ask(relay, "sendChat", { message: "after" });
    await ask(relay, "createShell");
    await relay.now.kill();
    relay.now = await lab.serve(["--client"]);
    const kept = (await ask<{ text: string }[]>(relay, "getChat")).map(({ text }) => text);
    expect([kept[0], kept.at(-1)]).toEqual(["before", "after"]);
    // The name that was refused took effect, and was saved with the next change.
    expect(await ask<object[]>(relay, "getTerminalNames")).toMatchObject([{ id: 1, title: "new" }, {}]);
    expect(await relay.now.stop()).toBe(0);
  },
  120_000,
);

test.skipIf(process.platform !== "linux")(
  "a disk that is full under the shell host costs no shell, no input and no output",
  async () => {
    await using lab = await startServeLab();
    const relay = { now: await lab.serve(["--client"]), key: await lab.makeKey() };
    const { shellId } = await ask<{ shellId: number }>(relay, "createShell");
    const host = readHostFile(join(lab.data, "shell-host.json"))?.pid ?? 0;
    await limitFiles(host, 0);
    const lines = async (count: number) =>
      (await ask<{ output: string }>(relay, "runCommand", { command: `seq 1 ${count}`, tile: 1, wait: true })).output;
    expect((await lines(50_000)).split("\r\n")).toHaveLength(50_001);
    await relay.now.kill();
    relay.now = await lab.serve(["--client"]);
    expect(await lines(3)).toBe("1\r\n2\r\n3\r\n");
    // A new shell needs a file of its own.
    const refused = await attempt(relay, COMMANDS, command("createShell"));
    expect(refused).toMatchObject({ status: 507, text: expect.stringContaining("free some space") });
    expect(await ask<object[]>(relay, "getShells")).toMatchObject([{ id: shellId, running: true }]);
    await limitFiles(host, "unlimited");
    const { key: tile } = await ask<{ key: number }>(relay, "createShell");
    expect(await ask(relay, "runCommand", { command: "echo alive", tile, wait: true })).toMatchObject({
      output: "alive\r\n",
    });
    expect(readHostFile(join(lab.data, "shell-host.json"))?.pid).toBe(host);
    expect(await relay.now.stop()).toBe(0);
  },
);

test.skipIf(process.platform !== "linux" || process.getuid?.() !== 0)(
  "a disk without room for one more file at any step of the start, the announcement too, gives one sentence",
  async () => {
    await using lab = await startServeLab();
    mkdirSync(lab.data);
    const said: string[] = [];
    let started = false;
    for (let files = 2; !started; files += 1) {
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=8m,nr_inodes=${files}`, "none", lab.data]);
      try {
        const relay = await lab.serve(["--client"]).catch((error: unknown) => String(error));
        if (typeof relay === "string") said.push(relay);
        else {
          started = true;
          expect((await fetch(`${relay.url}/v1/health`)).status).toBe(200);
          await relay.stop();
        }
      } finally {
        execFileSync("umount", ["-l", lab.data]);
      }
    }
    // Without a log its lines go to the error output, too.
    for (const failure of said) {
      expect(failure).toMatch(/^Error: serve ended with 1: (\{"level":[^\n]+\}\n)*patchbay: [^\n]+\.\n$/);
      expect(failure).not.toContain('"stack"');
    }
    expect(said.some((failure) => failure.includes("relay.json"))).toBe(true);
  },
);

test("a database that was damaged anywhere is put aside and told, and the relay starts", async () => {
  await using lab = await startServeLab();
  const relay = { now: await lab.serve(["--client"]), key: await lab.makeKey("apart") };
  for (let index = 0; index < 40; index++) await ask(relay, "sendChat", { message: `${index}`.repeat(500) });
  await relay.now.stop();
  const file = openSync(join(lab.data, "patchbay.db"), "r+");
  for (const page of [3, 5, 7]) writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096);
  closeSync(file);
  relay.now = await lab.serve(["--client"]);
  expect(relay.now.said()).toMatch(/The database was damaged \(.+\)\. It is kept as /);
  relay.key = await lab.makeKey("apart");
  expect(await ask(relay, "getChat")).toEqual([]);
  expect(readdirSync(lab.data).some((name) => name.includes(".damaged-"))).toBe(true);
}, 60_000);

test("a log of the store that was cut short, as a power cut leaves it, costs only what was not yet in it", async () => {
  await using lab = await startServeLab();
  const relay = { now: await lab.serve(["--client"]), key: await lab.makeKey("apart") };
  const sent = ["one", "two", "three"];
  for (const message of sent) await ask(relay, "sendChat", { message });
  await relay.now.kill();
  const wal = join(lab.data, "patchbay.db-wal");
  const file = openSync(wal, "r+");
  ftruncateSync(file, readFileSync(wal).length - 100);
  closeSync(file);
  relay.now = await lab.serve(["--client"]);
  expect(relay.now.said()).not.toContain("damaged");
  const kept = (await ask<{ text: string }[]>(relay, "getChat")).map(({ text }) => text);
  expect(kept).toEqual(sent.slice(0, kept.length));
  expect(kept.length).toBeGreaterThan(0);
}, 60_000);

test("200 shells that exit at once are each told as exited, once, with the right code", async () => {
  await using lab = await startServeLab();
  const relay = { now: await lab.serve(["--client"]), key: await lab.makeKey() };
  const ids: number[] = [];
  for (let index = 0; index < 200; index++) {
    const made = await ask<{ shellId: number }>(relay, "createShell", {
      tile: false,
      command: `while [ ! -e ${join(lab.data, "go")} ]; do sleep 0.2; done; exit ${index % 200}`,
    });
    ids.push(made.shellId);
  }
  closeSync(openSync(join(lab.data, "go"), "w"));
  type Listed = { id: number; running: boolean; exitCode: number | null; pid: number | null };
  const shells = await until(
    "all to have ended",
    async () => {
      const listed = await ask<Listed[]>(relay, "getShells");
      return listed.every(({ running }) => !running) ? listed : undefined;
    },
    120_000,
  );
  expect(shells.map(({ id, exitCode, pid }) => [id, exitCode, pid])).toEqual(
    ids.map((id, index) => [id, index % 200, null]),
  );
  expect(await relay.now.stop()).toBe(0);
  expect((await runningProcesses()).filter(({ command: line }) => line.includes(lab.data))).toEqual([]);
}, 300_000);

test("when the process that holds the shells is killed, its shells are told as ended, and the next one starts anew", async () => {
  await using lab = await startServeLab();
  const relay = { now: await lab.serve(["--client"]), key: await lab.makeKey() };
  for (let round = 1; round <= 5; round++) {
    const { shellId } = await ask<{ shellId: number }>(relay, "createShell", {
      command: "while :; do seq 1 1000; done",
    });
    const host = readHostFile(join(lab.data, "shell-host.json"));
    process.kill(host?.pid ?? 0, "SIGKILL");
    await until("the end to be told", async () => {
      const shells = await ask<{ id: number; running: boolean }[]>(relay, "getShells");
      return shells.find(({ id }) => id === shellId)?.running === false;
    });
    expect(relay.now.said()).toContain(`shells that ended with it: ${shellId} of session ${relay.now.session}`);
    expect((await attempt(relay, COMMANDS, command("writeToShell", { id: shellId, data: "x" })))?.status).toBe(400);
  }
  const { shellId } = await ask<{ shellId: number }>(relay, "createShell");
  const { output } = await ask<{ output: string }>(relay, "runCommand", { command: "echo alive", wait: true });
  expect([shellId, output]).toEqual([6, "alive\r\n"]);
  expect(await relay.now.stop()).toBe(0);
}, 60_000);

test("a burst of 100,000 lines arrives whole while commands are answered", async () => {
  await using lab = await startServeLab();
  const relay = { now: await lab.serve(["--client"]), key: await lab.makeKey() };
  await ask(relay, "createShell");
  let done = false;
  const run = ask<{ output: string; exitCode: number }>(relay, "runCommand", {
    command: "seq 1 100000",
    wait: true,
  }).finally(() => {
    done = true;
  });
  let answered = 0;
  while (!done) {
    await ask(relay, "getTiles");
    answered += 1;
  }
  const { output } = await run;
  expect(output).toBe(Array.from({ length: 100_000 }, (_, index) => `${index + 1}\r\n`).join(""));
  expect(answered).toBeGreaterThan(1);
}, 60_000);

/** Limits the size, in bytes, of the files that a process may write, while it runs. */
async function limitFiles(pid: number, bytes: number | "unlimited"): Promise<void> {
  const child = spawn("prlimit", ["--pid", String(pid), `--fsize=${bytes}:unlimited`], { stdio: "inherit" });
  const [code] = (await onceOf(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`prlimit ended with ${code}`);
}
