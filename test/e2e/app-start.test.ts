import { expect, test } from "vitest";
import { launchApp } from "../support/app.ts";
import { untilGone } from "../support/processes.ts";
import { until } from "../support/until.ts";

const SHORTCUTS = ["layout", "tiles", "workspaces", "shells", "users", "agents", "chat", "tunnels"] as const;

test("starts, says where it is and which session it opened, and opens that session's window", async () => {
  await using app = await launchApp();
  await until("the printed address", () => app.output.includes(app.relay.url));
  expect(app.output).toContain(app.session);
  const window = await app.window();
  await window.locator("#root > *").first().waitFor();
  expect(await window.evaluate(() => Object.keys(window))).not.toContain("require");
});

test("answers every GET shortcut and runs commands on its own desktop client", async () => {
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

test("ends with all its processes when it is asked to, and by SIGKILL", async () => {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    await using app = await launchApp();
    await app.call("createShell", { command: "sleep 1000" });
    await (await app.window()).locator("#root > *").first().waitFor();
    const family = await until("shell and renderer processes", async () => {
      const found = await app.descendants();
      return found.some(({ command }) => command.includes("sleep 1000")) && found.length > 2 ? found : undefined;
    });
    app.process.kill(signal);
    await app.ended();
    await untilGone(family);
  }
});

test("ends although somebody still listens to its events", async () => {
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
