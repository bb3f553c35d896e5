import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startServeLab } from "../support/start-serve.ts";
import { until } from "../support/until.ts";
import { ask, attempt } from "./acknowledged.ts";

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
