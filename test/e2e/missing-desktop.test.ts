import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { launchApp, type TestApp } from "../support/app.ts";
import { ScriptedNotifications } from "../support/dbus/scripted-notifications.ts";
import { serviceWords } from "../support/packaged-program.ts";
import { startPrivateBus } from "../support/private-bus.ts";
import { until } from "../support/until.ts";

const NO_SERVER = "Native notifications do not work: no notification server is on the session bus.";
const NATIVE = { shown: true, by: "native" };
const TOAST = { shown: true, by: "toast" };
const NOT_SHOWN = { shown: false, by: "log" };

/** The app on a bus with nothing on it. */
async function onEmptyBus(address: string): Promise<TestApp> {
  return await launchApp({ args: ["--hidden"], env: { DBUS_SESSION_BUS_ADDRESS: address } });
}

test("without a notification server a notification is a toast and an entry in the panel, with a hint what to install", async () => {
  await using bus = await startPrivateBus();
  await using app = await onEmptyBus(bus.address);
  const panel = await app.page("/tray/");
  await panel.getByRole("button", { name: "How", exact: true }).press("Enter");
  const settings = await app.page("?settings");
  await settings.getByText(NO_SERVER).last().waitFor();
  await settings.getByText("apt install dunst").first().waitFor();
  await settings
    .getByText(/No keychain can be reached .* apt install gnome-keyring/)
    .first()
    .waitFor();
  expect(app.output).toContain(NO_SERVER);
  const log = await readFile(path.join(app.data, "logs", "current.log"), "utf8");
  for (const said of [NO_SERVER, "There is no tray", "No keychain can be reached"]) expect(log).toContain(said);

  const window = await app.window();
  expect(await app.call("notify", { title: "Build", body: "is done" })).toEqual(TOAST);
  await window.getByText("Build: is done").waitFor();
  // Without a window at the corner of the screen.
  await (await app.electron.browserWindow(window)).evaluate((own) => own.close());
  await until("the window's end", () => window.isClosed());
  expect(await app.call("notify", { title: "Tests" })).toEqual(TOAST);
  await (await app.page("/toast/")).getByText("Tests").waitFor();
  await panel.getByRole("tab", { name: "Activity" }).click();
  await panel.getByRole("combobox", { name: "Kind of activity" }).selectOption("Notifications");
  await panel.getByRole("heading", { name: "Build", exact: true }).waitFor();
  await panel.getByRole("heading", { name: "Tests", exact: true }).waitFor();
  expect(await panel.getByText("not shown").count()).toBe(0);

  await panel.getByRole("button", { name: "Pause notifications" }).click();
  await panel.getByRole("button", { name: "Resume notifications" }).waitFor();
  expect(await app.call("notify", { title: "While paused" })).toEqual(NOT_SHOWN);
  await panel.getByText("not shown").waitFor();
});

test("a notification server may come and go while the app runs", { tags: "slow" }, async () => {
  await using bus = await startPrivateBus();
  await using app = await onEmptyBus(bus.address);
  // One line stands for all that does not work, and names each on hover.
  const news = (await app.page("/tray/")).getByTitle(NO_SERVER);
  await news.waitFor();
  const first = await ScriptedNotifications.start(bus.address);
  await news.waitFor({ state: "detached" });
  expect(await app.call("notify", { title: "First" })).toEqual(NATIVE);
  expect(first.received).toMatchObject([{ title: "First", body: "Session default" }]);
  first.stop();
  await news.waitFor();
  expect(await app.call("notify", { title: "Nobody listens" })).toEqual(TOAST);
  const second = await ScriptedNotifications.start(bus.address);
  expect(await app.call("notify", { title: "Second" })).toEqual(NATIVE);
  second.stop();
});

test("a server that never answers holds up neither the command nor the relay", { tags: "slow" }, async () => {
  await using bus = await startPrivateBus();
  const server = await ScriptedNotifications.start(bus.address, { notify: () => undefined });
  await using app = await onEmptyBus(bus.address);
  await app.page("/tray/");
  let answered = false;
  const command = app.call("notify", { title: "Is anybody there" }).finally(() => {
    answered = true;
  });
  await until("the server to be asked", () => server.received.length === 1);
  expect((await app.fetch("remote/shells")).status).toBe(200);
  expect(answered).toBe(false);
  expect(await command).toEqual(TOAST);
  server.stop();
});

test("doctor reports the same desktop problems in the same words", async () => {
  await using bus = await startPrivateBus();
  const [program, ...words] = serviceWords();
  const doctor = async () => {
    const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: bus.address };
    const { stdout } = await promisify(execFile)(program, [...words, "doctor", "--json"], { env }).catch(
      (failed: { stdout: string }) => failed,
    );
    const findings = JSON.parse(stdout) as { check: string; state: string; found: string; advice?: string }[];
    return Object.fromEntries(findings.map(({ check, ...finding }) => [check, finding]));
  };
  expect(await doctor()).toMatchObject({
    notifications: { state: "problem", found: NO_SERVER, advice: expect.stringContaining("apt install dunst") },
    display: { state: "problem", found: "There is no tray: nothing on this desktop shows tray icons." },
    keychain: { state: "problem", advice: expect.stringContaining("apt install gnome-keyring") },
  });
  const server = await ScriptedNotifications.start(bus.address);
  expect(await doctor()).toMatchObject({ notifications: { state: "ok" } });
  server.stop();
});
