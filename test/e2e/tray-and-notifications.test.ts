import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { launchApp, type TestApp } from "../support/app.ts";
import { type DbusDesktop, startDbusDesktop } from "../support/dbus-desktop.ts";
import { until } from "../support/until.ts";

let desktop: DbusDesktop;
beforeAll(async () => {
  desktop = await startDbusDesktop();
});
afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

test("the tray has the sessions, with open and copy id, and quit, which quits", async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  const item = await desktop.trayItem(app.pid);
  await app.call("createShell");
  await until("the shell in the menu", async () =>
    (await item.menu()).some((entry) => entry.label === "default (1 shell)"),
  );
  const menu = await item.menu();
  expect(menu.map((entry) => [entry.label, entry.entries.map((inner) => inner.label)])).toEqual([
    ["Patchbay: 1 session, 1 shell", []],
    ["$0.00 today at list prices", []],
    ["", []],
    ["default (1 shell)", ["Open", "Copy id"]],
    ["", []],
    ["Show panel", []],
    ["Settings…", []],
    ["Pause notifications", []],
    ["Welcome to Patchbay", []],
    ["Quit Patchbay", []],
  ]);
  expect(await item.title()).toBe("Patchbay: 1 session, 1 shell");

  expect(app.electron.windows()).toHaveLength(0);
  await item.choose("default", "Open");
  await app.window();
  await item.choose("default", "Copy id");
  await until("the id on the clipboard", async () => {
    return (await app.electron.evaluate(({ clipboard }) => clipboard.readText())) === app.session;
  });
  const asked = () => app.electron.evaluate(({ app: host }) => (host as { asked?: string[] }).asked ?? []);
  await app.electron.evaluate(({ app: host, dialog }) => {
    const kept = host as { asked?: string[] };
    kept.asked = [];
    dialog.showMessageBox = (async (options: { detail?: string }) => {
      kept.asked?.push(options.detail ?? "");
      // Its buttons are end, keep and cancel.
      return { response: kept.asked?.length === 1 ? 2 : 0, checkboxChecked: false };
    }) as typeof dialog.showMessageBox;
  });
  await item.choose("Quit");
  await until("the question", async () => (await asked()).length === 1);
  expect(await asked()).toEqual([expect.stringContaining("There is 1 running shell.")]);
  expect(app.process.exitCode).toBeNull();
  await item.choose("Quit");
  expect(await app.ended()).toBe(0);
});

// No other test of these makes a shell.
describe("in one app, which is in the tray only before each test", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await launchApp({ args: ["--hidden"] });
  });
  afterEach(() => app.closeWindows());
  afterAll(() => app[Symbol.asyncDispose]());

  test("the panel shows the sessions and opens one", async () => {
    const item = await desktop.trayItem(app.pid);
    await item.choose("Show panel");
    const panel = await app.page("/tray/");
    await panel.getByRole("tab", { name: "Sessions" }).press("Enter");
    await panel.getByText("0 shells", { exact: true }).waitFor();
    await app.call("createShell");
    await panel.getByText("1 shell", { exact: true }).waitFor();
    await panel.getByRole("button", { name: "Open default" }).click();
    await app.window();
  });

  test("notify is a real notification with the session's name, and a click on it shows the window", async () => {
    await app.call("notify", { title: "Build finished", body: "12 tests passed" });
    const shown = await until("the notification", () =>
      desktop.notifications.find((notification) => notification.title === "Build finished"),
    );
    expect(shown).toMatchObject({ app: "Patchbay", body: "12 tests passed\nSession default" });
    expect(app.electron.windows()).toHaveLength(0);
    desktop.activate(shown.id);
    await app.window();
  });

  test("a toast shows at the corner of the screen while no window can be seen, and leads to its session", async () => {
    await app.call("toast", { message: "Deployed at dawn", kind: "success" });
    const corner = await until("the toasts' window", () =>
      app.electron.windows().find((page) => page.url().includes("/toast/")),
    );
    await until("the toast", async () => {
      // On a busy machine the first one may have run out.
      await app.call("toast", { message: "Deployed at dawn", kind: "success" });
      return (await corner.getByText("Deployed at dawn").count()) > 0;
    });
    const focusable = await app.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => [window.isVisible(), window.isFocusable()]),
    );
    expect(focusable).toEqual([[true, false]]);
    await corner.getByRole("button", { name: "Deployed at dawn" }).first().click();
    await app.window();
  });
});

test("a notification from a shell leads to its tile", { tags: "slow" }, async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  const first = (await app.call("createShell")) as { shellId: number; key: number };
  const second = (await app.call("createShell")) as { key: number };
  const focused = async () => ((await app.call("getUsers")) as readonly { focus: number | null }[])[0]?.focus;
  expect(await focused()).toBe(second.key);
  const body = { method: "notify", params: { title: "Tests ran" }, source_shell_id: first.shellId };
  expect((await app.fetch("remote/command", body)).status).toBe(200);
  const shown = await until("the notification", () => desktop.notifications.find(({ title }) => title === "Tests ran"));
  desktop.activate(shown.id);
  await app.window();
  await until("the focus on the shell's tile", async () => (await focused()) === first.key);
});

test("a window whose screen is removed moves to a visible screen", { tags: "slow" }, async () => {
  await using app = await launchApp();
  const page = await app.window();
  await page.locator(".session").waitFor();
  const window = await app.electron.browserWindow(page);
  const bounds = await app.electron.evaluate(({ screen }) => screen.getPrimaryDisplay().workArea);
  const x = await window.evaluate((own, lost) => {
    own.setBounds({ x: lost, y: 40, width: 700, height: 500 });
    return own.getBounds().x;
  }, bounds.width + 400);
  expect(x).toBe(bounds.width + 400);
  await app.electron.evaluate(({ screen }) => void screen.emit("display-removed"));
  const back = await until("the window in sight", async () => {
    const now = await window.evaluate((own) => own.getBounds());
    return now.x < bounds.width ? now : undefined;
  });
  expect(back).toEqual({ x: bounds.width - 700, y: 40, width: 700, height: 500 });
});

test("the icon leaves the tray with the app", { tags: "slow" }, async () => {
  const app = await launchApp({ args: ["--hidden"] });
  await desktop.trayItem(app.pid);
  await app[Symbol.asyncDispose]();
  await until("an empty tray", async () => (await desktop.trayItems(app.pid)) === 0);
});
