import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { launchApp, type TestApp } from "../support/app.ts";
import { descendantsOf, type Process, untilGone } from "../support/processes.ts";
import { until } from "../support/until.ts";

const SHORTCUTS = ["layout", "tiles", "workspaces", "shells", "users", "agents", "chat", "tunnels"] as const;

test("starts, prints its address and session, and opens the session's window", async () => {
  await using app = await launchApp();
  await until("the printed address", () => app.output.includes(app.relay.url));
  expect(app.output).toContain(app.session);
  const window = await app.window();
  await window.locator("#root > *").first().waitFor();
  expect(await window.evaluate(() => Object.keys(window))).not.toContain("require");
});

test("answers every GET shortcut and runs commands on its own desktop client", { tags: "slow" }, async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  const statuses = await Promise.all(SHORTCUTS.map(async (name) => (await app.fetch(`remote/${name}`)).status));
  expect(statuses).toEqual(SHORTCUTS.map(() => 200));
  expect(await app.call("getClients")).toMatchObject([{ clientKind: "desktop", device: "desktop", canWrite: true }]);

  const { shellId, key } = (await app.call("createShell")) as { shellId: number; key: number };
  expect(await app.call("getTiles")).toMatchObject([{ key, type: "shell", id: shellId }]);
  await app.call("writeToShell", { id: shellId, data: "echo hello-$((40+2))\\n" });
  await until("the shell's output", async () => {
    const { output } = (await app.call("getShellOutput", { id: shellId })) as { output: string };
    return output.includes("hello-42");
  });
});

test("ends with all its processes when it is asked to", async () => {
  await using app = await launchApp();
  const family = await busyFamily(app);
  app.process.kill("SIGTERM");
  await app.ended();
  await untilGone(family);
});

test("ends in order, without a crash, when a signal ends all of its processes at once", async () => {
  await using app = await launchApp();
  const family = await busyFamily(app);
  // As a desktop does that ends a session.
  process.kill(-app.pid, "SIGTERM");
  expect(await app.ended()).toBe(0);
  await untilGone(family);
  const reports = await readdir(path.join(app.data, "crashes"), { recursive: true });
  expect(reports.filter((name) => name.endsWith(".dmp"))).toEqual([]);
});

test("after SIGKILL only the shells and the shell host remain, which the next start adopts and ends", {
  tags: "slow",
}, async () => {
  const data = await mkdtemp(path.join(tmpdir(), "patchbay-data-"));
  try {
    await using killed = await launchApp({ data });
    const family = await busyFamily(killed);
    const host = family.find(({ command }) => command.includes("shell-host"));
    const kept = host === undefined ? [] : [host, ...(await descendantsOf(host.pid))];
    expect(kept.some(({ command }) => command.includes("sleep 1000"))).toBe(true);
    killed.process.kill("SIGKILL");
    await killed.ended();
    await untilGone(family.filter(({ pid }) => kept.every((process) => process.pid !== pid)));

    await using next = await launchApp({ data });
    expect(await next.call("getShells")).toMatchObject([{ running: true }]);
    await next.stop();
    await untilGone(kept);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});

test("ends while a client is still subscribed to its events", { tags: "slow" }, async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  const events = await app.fetch("events");
  expect(events.status).toBe(200);
  const gone = events.text().then(
    () => "closed",
    () => "cut",
  );
  app.process.kill("SIGTERM");
  await app.ended();
  expect(["closed", "cut"]).toContain(await gone);
});

/** The app's processes, once its window is drawn and a shell runs in it. */
async function busyFamily(app: TestApp): Promise<Process[]> {
  await app.call("createShell", { command: "sleep 1000" });
  await (await app.window()).locator("#root > *").first().waitFor();
  return until("shell and renderer processes", async () => {
    const found = await app.descendants();
    return found.some(({ command }) => command.includes("sleep 1000")) && found.length > 2 ? found : undefined;
  });
}
