import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkContext } from "../../../../cli/doctor/check-context.ts";
import { checkDataFolder } from "../../../../cli/doctor/check-data-folder.ts";
import { SessionId } from "../../../../core/protocol/ids.ts";
import type { Shell } from "../../../../core/protocol/records.ts";
import { openStore, openStoreInUse } from "../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../main/relay/store/store.ts";
import { ask } from "../../../chaos/acknowledged.ts";
import { startServeLab } from "../../../support/start-serve.ts";
import { until } from "../../../support/until.ts";

const REST = ["-wal", "-shm"];

/** What can become of the database of a relay that was killed; `path` is its path. */
const losses: Readonly<Record<string, (path: string) => void>> = {
  "an empty database": (path) => {
    truncateSync(path, 0);
    for (const suffix of REST) rmSync(path + suffix, { force: true });
  },
  "an empty database beside its log": (path) => truncateSync(path, 0),
  "a missing database": (path) => {
    for (const suffix of ["", ...REST]) rmSync(path + suffix, { force: true });
  },
  "a missing database beside its log": (path) => rmSync(path),
  "a missing log": (path) => rmSync(`${path}-wal`),
  "an empty log": (path) => truncateSync(`${path}-wal`, 0),
  "a log of junk": (path) => writeFileSync(`${path}-wal`, "junk ".repeat(3000)),
  "a damaged database": (path) => {
    for (const suffix of REST) rmSync(path + suffix, { force: true });
    writeFileSync(path, "no database ".repeat(3000));
  },
};

test.each(Object.keys(losses))(
  "%s beside signs of use is told and ends no shell",
  { timeout: 60_000, tags: "slow" },
  async (what) => {
    await using lab = await startServeLab();
    const first = { now: await lab.serve(["--client"]), key: await lab.makeKey() };
    const { shellId } = await ask<{ shellId: number }>(first, "createShell", { tile: false, command: "sleep 1000" });
    const shellsOf = (relay: typeof first) => ask<Shell[]>(relay, "getShells");
    const before = (await shellsOf(first)).find(({ id }) => id === shellId);
    await first.now.kill();
    losses[what]?.(join(lab.data, "patchbay.db"));

    const second = { now: await lab.serve(["--client"]), key: await lab.makeKey() };
    expect(second.now.said()).toMatch(/database .*(is empty|is missing|is unreadable|was damaged|is not the one)/);
    expect(second.now.said()).not.toContain("undefined");
    const isKept = readdirSync(lab.data).some((name) => name.includes(".damaged-"));
    expect(checkDataFolder(checkContext({ data: lab.data, env: {} }))).toMatchObject({ state: isKept ? "note" : "ok" });
    expect(second.now.session).toBe(first.now.session);
    const after = (await shellsOf(second)).find(({ id }) => id === shellId);
    expect(after).toMatchObject({ running: true, pid: before?.pid, owner: null, restricted: true });
    // It can be used, and its id is not given again.
    const next = await ask<{ shellId: number }>(second, "createShell", { tile: false });
    expect(next.shellId).toBeGreaterThan(shellId);
    expect(await ask(second, "closeShell", { id: shellId })).toMatchObject({ id: shellId });
    expect(await second.now.stop()).toBe(0);
    // It is told once.
    const third = await lab.serve();
    expect(third.said()).not.toMatch(/The (database|log) /);
    await third.stop();
  },
);

/** In MB, at most since the process started. */
function peakMemoryOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

test("a command that meets the lost database first tells of it, and the relay still does", async () => {
  await using lab = await startServeLab();
  const first = { now: await lab.serve(["--client"]), key: await lab.makeKey() };
  await ask(first, "createShell", { tile: false, command: "sleep 1000" });
  await first.now.kill();
  for (const suffix of ["", ...REST]) rmSync(join(lab.data, `patchbay.db${suffix}`), { force: true });
  const key = await lab.makeKey();
  const second = { now: await lab.serve(["--client"]), key };
  expect(second.now.said()).toContain("1 shell of the last run runs on");
  expect((await ask<Shell[]>(second, "getShells")).map(({ running }) => running)).toEqual([true]);
});

test("a stop in order, a kill and a start leave nothing to tell", { tags: "slow" }, async () => {
  await using lab = await startServeLab();
  for (const end of ["kill", "stop", "kill", "kill", "stop"] as const) {
    const relay = await lab.serve();
    expect(relay.said()).not.toMatch(/The (database|log) /);
    await relay[end]();
    await lab.makeKey();
  }
});

test("a store with 300 MB of chat starts in little memory, reads the latest messages, and is trimmed", {
  timeout: 120_000,
  tags: "slow",
}, async () => {
  await using lab = await startServeLab();
  const first = await lab.serve();
  await first.stop();
  const { database } = openStore(lab.data);
  const count = 40_000;
  const add = database.prepare("INSERT INTO chat (session_id, id, record) VALUES (?, ?, ?)");
  const text = "x".repeat(7500);
  database.transaction(() => {
    for (let id = 1; id <= count; id += 1) {
      const message = { id, from: { clientId: 1, name: "me" }, text: `${id} ${text}`, at: new Date().toISOString() };
      add.run([first.session, id, JSON.stringify(message)]);
    }
  })();
  const messages = new Store(database).chat.list(SessionId.parse(first.session));
  expect(messages.map(({ id }) => id)).toEqual(Array.from({ length: 1000 }, (_, n) => count - 999 + n));
  database.close();

  const startedAt = performance.now();
  const second = await lab.serve(["--client", "--keep-chat", "1000"]);
  const took = performance.now() - startedAt;
  // Reading all of it took 495 MiB for 200 MB, and none 100 MiB; a busy machine may be slow to start a process.
  expect(took).toBeLessThan(5000);
  expect(peakMemoryOf(second.child.pid)).toBeLessThan(160);
  await until("the chat to be trimmed", () => {
    const reading = openStoreInUse(lab.data);
    const { n } = reading.prepare("SELECT count(*) AS n FROM chat").get() as { n: number };
    reading.close();
    return n <= count - 1000;
  });
  const key = await lab.makeKey();
  expect(await ask<unknown[]>({ now: second, key }, "getChat")).toHaveLength(1000);
});

test("a log that cannot be written does not stop the relay", async () => {
  await using lab = await startServeLab();
  const first = await lab.serve();
  await first.stop();
  // A folder in the place of the file: as root, modes would not refuse it.
  const logs = join(lab.data, "logs");
  rmSync(logs, { recursive: true });
  mkdirSync(join(logs, "patchbay.1.log"), { recursive: true });
  const second = await lab.serve();
  expect(second.said()).toContain("No log can be written");
  expect((await fetch(`${second.url}/v1/health`)).status).toBe(200);
  expect(await second.stop()).toBe(0);
});
