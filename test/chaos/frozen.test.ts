import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { readHostFile } from "../../main/shells/host/host-file.ts";
import { startServeLab } from "../support/start-serve.ts";
import { until } from "../support/until.ts";
import { ask, attempt, type Fate, once } from "./acknowledged.ts";
import { COUNTER, CountedOutput } from "./counted-output.ts";
import { chatCounts } from "./kill-loop.ts";

/** Below and above the 5 s after which a shell host counts as hung, and a caller gives up. */
const FREEZES_MS = [100, 700, 2500, 6500];

test("a relay that was frozen while another took its folder over ends when it wakes up, and leaves the other's files", async () => {
  await using lab = await startServeLab();
  const first = { now: await lab.serve(["--client"]), key: await lab.makeKey() };
  const { shellId } = await ask<{ shellId: number }>(first, "createShell", { tile: false, command: "sleep 1000" });
  first.now.child.kill("SIGSTOP");
  // Only a lock file that was deleted lets another relay in while the first one lives.
  for (const name of ["lock.db", "lock.json", "relay.json"]) rmSync(join(lab.data, name), { force: true });
  const second = { now: await lab.serve(["--client"]), key: first.key };
  const announced = readFileSync(join(lab.data, "relay.json"), "utf8");

  first.now.child.kill("SIGCONT");
  await until("the first relay to end", () => first.now.child.exitCode !== null);
  expect(first.now.child.exitCode).toBe(1);
  expect(first.now.said()).toMatch(/no longer this relay's|taken the shells over/);
  expect(readFileSync(join(lab.data, "relay.json"), "utf8")).toBe(announced);
  const shells = await ask<{ id: number; running: boolean }[]>(second, "getShells");
  expect(shells).toMatchObject([{ id: shellId, running: true }]);
  for (const message of ["one", "two"]) {
    const body = { method: "sendChat", params: { message } };
    expect((await attempt(second, "/SESSION/remote/command", { body }))?.status).toBe(200);
  }
  // What the first one had open was not marked as closed.
  await second.now.kill();
  const third = await lab.serve();
  expect(third.said()).not.toMatch(/The (database|log) /);
}, 60_000);

test("the relay and the shell host, stopped in turn under load, go on where they were and lose nothing", async () => {
  await using lab = await startServeLab();
  const relay = { now: await lab.serve(["--client"]), key: await lab.makeKey() };
  const { shellId } = await ask<{ shellId: number }>(relay, "createShell", { command: COUNTER });
  const host = readHostFile(join(lab.data, "shell-host.json"))?.pid ?? 0;
  const output = new CountedOutput();
  const fates = new Map<string, Fate>();
  let stopped = false;
  const load = [
    (async () => {
      for (let round = 1; !stopped; round += 1) {
        const text = `message ${round}`;
        fates.set(text, await once(relay, text, { method: "sendChat", params: { message: text } }, () => false));
      }
    })(),
    (async () => {
      while (!stopped) {
        output.take(await ask(relay, "getShellOutput", { id: shellId, since: output.end }));
        await delay(20);
      }
    })(),
  ];
  try {
    for (const ms of FREEZES_MS) {
      for (const pid of [relay.now.child.pid ?? 0, host]) {
        process.kill(pid, "SIGSTOP");
        await delay(ms);
        process.kill(pid, "SIGCONT");
        const { end } = output;
        await until("the output to go on", () => output.end > end + 1000);
      }
    }
  } finally {
    stopped = true;
    await Promise.all(load);
  }
  expect(output.faults).toEqual([]);
  expect(readHostFile(join(lab.data, "shell-host.json"))?.pid).toBe(host);
  expect(await ask(relay, "getShells")).toMatchObject([{ id: shellId, running: true }]);
  await relay.now.stop();
  const counts = chatCounts(lab.data);
  const done = [...fates].filter(([, fate]) => fate === "done").map(([text]) => text);
  expect(done.length).toBeGreaterThan(FREEZES_MS.length);
  expect(done.filter((text) => counts.get(text) !== 1)).toEqual([]);
  expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
}, 180_000);
