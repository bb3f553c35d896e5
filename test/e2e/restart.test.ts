import { expect, test } from "vitest";
import { launchApp } from "../support/app.ts";
import { endShellHost } from "../support/end-shell-host.ts";
import { until } from "../support/until.ts";

test("after SIGKILL session, chat, layout and shells are there, the shells with their output", {
  timeout: 180_000,
  tags: "slow",
}, async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  await app.call("createShell", { command: "seq 1 50000; sleep 1000" });
  await app.call("splitShell", { direction: "horizontal" });
  await app.call("sendChat", { message: "still here?" });
  await app.call("waitFor", { id: 1, text: "^50000$", since: 0 });
  const layout = await app.call("getLayoutTree");
  const shells = (await app.call("getShells")) as { id: number; pid: number }[];
  const output = await app.call("getShellOutput", { id: 1 });
  app.process.kill("SIGKILL");
  await app.ended();

  await using again = await launchApp({ data: app.data, args: ["--hidden"] });
  expect(again.session).toBe(app.session);
  expect(await again.call("getChat")).toMatchObject([{ text: "still here?" }]);
  expect(await again.call("getLayoutTree")).toEqual(layout);
  expect(await again.call("getShells")).toMatchObject(shells.map(({ id, pid }) => ({ id, pid, running: true })));
  expect(await again.call("getShellOutput", { id: 1 })).toEqual(output);
});

test("when the shell host dies too, the next start lists the shells that ended", {
  timeout: 180_000,
  tags: "slow",
}, async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  await app.call("createShell", { command: "sleep 1000" });
  app.process.kill("SIGKILL");
  await app.ended();
  await endShellHost(app.data);

  await using again = await launchApp({ data: app.data, args: ["--hidden"] });
  expect(await again.call("getShells")).toMatchObject([{ id: 1, running: false, pid: null }]);
  await until("the notice of the ended shell", () => again.output.includes("1 shell ended with the last run"));
});

test("the window offers what ended with the machine, starts it in its tile when told to, and nothing before", {
  timeout: 180_000,
}, async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  await app.call("createShell", { cwd: "/usr" });
  await app.call("renameTile", { key: 1, name: "build" });
  app.process.kill("SIGKILL");
  await app.ended();
  await endShellHost(app.data);

  await using again = await launchApp({ data: app.data });
  const window = await again.window();
  // Not by a key: the terminal that is drawn meanwhile takes the keys.
  await window.getByRole("button", { name: "Show what ran…" }).click();
  const sheet = window.getByRole("dialog", { name: "Start again what ran here" });
  await sheet.getByText("build").waitFor();
  expect(await again.call("getShells")).toMatchObject([{ id: 1, running: false }]);
  await sheet.getByRole("button", { name: "Start 1 shell" }).press("Enter");
  await sheet.waitFor({ state: "detached" });
  expect(await again.call("getShells")).toMatchObject([{ id: 2, running: true, cwd: "/usr" }]);
  expect(await again.call("getTiles")).toMatchObject([{ key: 1, id: 2, label: "build" }]);
  expect(await window.getByRole("button", { name: "Show what ran…" }).count()).toBe(0);
});
