import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { launchApp, type TestApp } from "../support/app.ts";
import { axeOn } from "../support/axe.ts";
import { type DbusDesktop, startDbusDesktop } from "../support/dbus-desktop.ts";
import { startFleetLab } from "../support/fleet-lab.ts";
import { openPanel, openSettings } from "../support/open-panel.ts";
import { until } from "../support/until.ts";

let desktop: DbusDesktop;
beforeAll(async () => {
  desktop = await startDbusDesktop();
});
afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

test("accepting other machines is saved, asks for a restart, and takes effect after it", async () => {
  const data = await mkdtemp(path.join(tmpdir(), "patchbay-data-"));
  try {
    await using app = await launchApp({ data, args: ["--hidden"] });
    const panel = await openSettings(app, desktop);
    await panel.getByRole("button", { name: "General" }).press("Enter");
    expect(await panel.getByRole("spinbutton", { name: "Port" }).isDisabled()).toBe(true);
    await panel.getByText("This run was started with --port").waitFor();
    await panel.getByRole("combobox", { name: "Reached from" }).selectOption("other machines too, over TLS");
    await panel.getByText("This needs a restart.").waitFor();

    // The app that starts again would be nobody's here.
    await app.electron.evaluate(({ app: host }) => {
      host.relaunch = () => void process.stdout.write("started again\n");
    });
    const restart = panel.getByRole("button", { name: "Restart now" });
    // The app may be gone before the press is answered.
    await restart.press("Enter").catch(() => undefined);
    expect(await app.ended()).toBe(0);
    expect(app.output).toContain("started again");

    await using next = await launchApp({ data, args: ["--hidden"] });
    await until("the notice", () => next.output.includes("OTHER MACHINES CAN REACH THIS RELAY"));
    const again = await openSettings(next, desktop);
    await again.getByRole("button", { name: "General" }).press("Enter");
    await again.getByText("From other machines").first().waitFor();
    expect(await again.getByText("This needs a restart.").count()).toBe(0);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});

test("the panel joins a fleet, says in words why not, shows its machines with the one that is away, and leaves", {
  tags: "slow",
}, async () => {
  await using lab = await startFleetLab(["box", "desk"], {}, { members: ["laptop", "open"] });
  await using app = await launchApp({ args: ["--hidden"] });
  const panel = await openSettings(app, desktop);
  await panel.getByRole("button", { name: "Machines and fleet" }).press("Enter");
  const fleet = panel.getByRole("region", { name: "Fleet" });
  const choose = async (name: string) => {
    await app.electron.evaluate(({ dialog }, file) => {
      dialog.showOpenDialog = (async () => ({ canceled: false, filePaths: [file] })) as typeof dialog.showOpenDialog;
    }, lab.broker.credentialsOf(name));
    await fleet.getByRole("button", { name: "Choose credentials" }).press("Enter");
    await fleet.getByText(`${name}.creds`, { exact: true }).waitFor();
  };
  await chmod(lab.broker.credentialsOf("open"), 0o644);
  await fleet.getByRole("textbox", { name: "Address of the broker" }).fill(lab.broker.url);
  await choose("open");
  await fleet.getByRole("button", { name: "Join" }).press("Enter");
  await fleet
    .getByRole("alert")
    .getByText(/other users can read .*open\.creds/)
    .waitFor();
  await choose("laptop");
  await fleet.getByRole("button", { name: "Join" }).press("Enter");
  await fleet.getByText("joined", { exact: true }).waitFor();
  await fleet.getByText(`As laptop in the fleet of tester, at ${lab.broker.url}`).waitFor();
  const machines = fleet.getByRole("list", { name: "Machines of the fleet" }).getByRole("listitem");
  await machines.filter({ hasText: "box" }).getByText("present").waitFor();

  await lab.relay("desk").relay.fleet?.[Symbol.asyncDispose]();
  await machines.filter({ hasText: "desk" }).getByText(/^away/).waitFor();
  expect(await machines.count()).toBe(3);
  for (const colorScheme of ["light", "dark"] as const) {
    await panel.emulateMedia({ colorScheme });
    const { violations } = await axeOn(panel).analyze();
    expect(violations.map(({ id, nodes }) => [colorScheme, id, nodes.map(({ html }) => html)])).toEqual([]);
  }

  await lab.broker.kill();
  await fleet
    .getByRole("alert")
    .getByText(/connection to the broker is lost/)
    .waitFor();
  await fleet.getByRole("button", { name: "Leave the fleet" }).press("Enter");
  await panel.getByRole("dialog", { name: "Leave the fleet?" }).getByRole("button", { name: "Leave" }).press("Enter");
  await fleet.getByRole("button", { name: "Join" }).waitFor();
});

test("the terminals of an open window keep as many lines as was set, at once", { tags: "slow" }, async () => {
  // Without WebGL xterm.js draws text as DOM, so that a test can read it.
  await using app = await launchApp({ switches: ["--disable-gpu", "--disable-software-rasterizer"] });
  const window = await app.window();
  await app.call("createShell", { command: "seq 1 4000; echo all-$((1+1))-done" });
  const rows = window.locator(".xterm-rows > div");
  const text = async () => (await rows.allTextContents()).map((row) => row.trim());
  await until("the output", async () => (await text()).some((row) => row === "all-2-done"), 60_000);
  const panel = await openSettings(app, desktop);
  await panel.getByRole("button", { name: "Terminal" }).press("Enter");
  await panel.getByRole("combobox", { name: "Lines kept above the screen" }).selectOption("1,000");
  // A window that another one covers draws nothing. It may be gone before the press is answered.
  await panel.keyboard.press("Escape").catch(() => undefined);
  await window.locator(".xterm textarea").focus();
  let before = "";
  const top = await until("the oldest line", async () => {
    for (let page = 0; page < 10; page += 1) await window.keyboard.press("Shift+PageUp");
    const [first = ""] = await text();
    const still = first === before && /^\d+$/.test(first) && Number(first) < 3500;
    before = first;
    return still ? Number(first) : undefined;
  });
  expect(top).toBeGreaterThan(2900);
});

test("a setting is one in the panel, in the windows, over HTTP and after a restart", async () => {
  const data = await mkdtemp(path.join(tmpdir(), "patchbay-data-"));
  try {
    await using app = await launchApp({ data });
    const window = await app.window();
    await app.call("createShell", { command: "cat" });
    await window.locator(".xterm").first().waitFor();
    const panel = await openSettings(app, desktop);
    await panel.getByRole("button", { name: "Appearance" }).press("Enter");
    // Pages of a test are light.
    await panel.getByRole("radio", { name: "Nord" }).press("Space");
    const ground = () =>
      window.locator(".terminal-tile > .terminal").evaluate((one) => getComputedStyle(one).backgroundColor);
    await until("Nord in the window", async () => (await ground()) === "rgb(46, 52, 64)");
    const ask = async (method: string, params: object) =>
      ((await app.call(method, { ...params })) as { value: string }).value;
    await until("Nord over HTTP", async () => (await ask("getSetting", { name: "light-theme" })) === "Nord");

    expect(await ask("setSetting", { name: "font-size", value: "21" })).toBe("21");
    await panel.getByRole("button", { name: "Terminal" }).press("Enter");
    await until(
      "the size in the settings",
      async () => (await panel.getByRole("spinbutton", { name: /^Font size/ }).inputValue()) === "21",
    );
    await until("the size in the window", async () =>
      window.evaluate(() => localStorage.getItem("patchbay.font-size") === "21"),
    );
    expect(await ask("resetSetting", { name: "font-size" })).toBe("13");
    await until(
      "the default in the settings",
      async () => (await panel.getByRole("spinbutton", { name: /^Font size/ }).inputValue()) === "13",
    );

    await app[Symbol.asyncDispose]();
    await using next = await launchApp({ data, args: ["--hidden"] });
    const again = await openSettings(next, desktop);
    await again.getByRole("searchbox", { name: "Search settings" }).fill("light theme");
    await again
      .getByRole("button", { name: /Colours while the app is light/ })
      .getByText("Nord")
      .waitFor();
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});

describe("in one app", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await launchApp({ args: ["--hidden"] });
  });
  afterEach(() => app.closeWindows());
  afterAll(() => app[Symbol.asyncDispose]());

  test("Escape closes a form, then the panel, and the keyboard focus returns", async () => {
    const panel = await openPanel(app, desktop);
    const shown = () =>
      app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()));
    await panel.getByRole("button", { name: "New session" }).press("Enter");
    const field = panel.getByRole("textbox", { name: "Name of the new session" });
    await field.press("Escape");
    await field.waitFor({ state: "detached" });
    await panel.getByRole("button", { name: "More for default" }).press("Enter");
    await panel.keyboard.press("Escape");
    await panel.getByRole("dialog").waitFor({ state: "detached" });
    expect(await panel.evaluate(() => document.activeElement?.textContent)).toBe("More");
    expect(await shown()).toBe(true);
    await panel.keyboard.press("Escape");
    await panel.getByRole("tab", { name: "Now", selected: true }).waitFor();
    expect(await shown()).toBe(true);
    await panel.keyboard.press("Escape");
    await until("the hidden panel", async () => !(await shown()));
  });

  test("the settings are one window, opened from menu, panel and keys, with the section that was shown last", async () => {
    await using session = await app.newSession("settings");
    const window = await session.window();
    const count = () => app.electron.windows().filter((page) => page.url().includes("?settings")).length;
    const isClosed = () => until("the closed window", () => count() === 0);
    const settings = await openSettings(app, desktop);
    const size = await (await app.electron.browserWindow(settings)).evaluate((own) => own.getSize());
    expect(size).toEqual([860, 620]);
    await settings.getByRole("button", { name: "People and keys" }).press("Enter");
    await settings.getByRole("heading", { name: "Keys", exact: true }).waitFor();
    const panel = await openPanel(app, desktop);
    await panel.keyboard.press("Control+,");
    await panel.getByRole("button", { name: "Settings", exact: true }).press("Enter");
    await settings.getByRole("searchbox", { name: "Search settings" }).fill("bell");
    await settings.getByRole("combobox", { name: "Bell" }).waitFor();
    expect(count()).toBe(1);
    for (const width of [860, 380]) {
      await resized(app, settings, width);
      expect(await settings.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    }
    // In a narrow window the search is beside the list only: out of it, the section has the keys.
    await settings.keyboard.press("Escape");
    await until("the section", () =>
      settings.evaluate(() => document.activeElement?.textContent === "People and keys"),
    );
    await settings.keyboard.press("Control+w").catch(() => undefined);
    await isClosed();

    await window.keyboard.press("Control+,");
    const again = await app.page("?settings");
    await again.getByRole("heading", { name: "Keys", exact: true }).waitFor();
    await until("its last width", () => again.evaluate(() => innerWidth === 380));
    await again.keyboard.press("Escape");
    await again.getByRole("button", { name: "People and keys" }).waitFor();
    // It may be gone before the press is answered.
    await again.keyboard.press("Escape").catch(() => undefined);
    await isClosed();
  });
});

test("a panel of 320 and of 210 pixels (420 at twice the size) cuts nothing off", { tags: "slow" }, async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  const panel = await openPanel(app, desktop);
  for (const width of [320, 210]) {
    await resized(app, panel, width);
    for (const tab of ["Now", "Sessions", "Agents", "Activity"]) {
      await panel.getByRole("tab", { name: tab }).press("Enter");
      await panel.getByRole("tabpanel").locator("> *").first().waitFor();
      const over = await panel.evaluate(() =>
        [...document.querySelectorAll(".panel, .panel-page:not([hidden])")].map((part) => [
          part.className,
          part.scrollWidth - part.clientWidth,
        ]),
      );
      expect([width, tab, over]).toEqual([width, tab, over.map(([name]) => [name, 0])]);
    }
  }
});

test("what opens inside of the panel breaks no rule of accessibility, in either theme", { tags: "slow" }, async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  await app.call("createShell");
  await app.call("notify", { title: "Build finished" });
  const panel = await openPanel(app, desktop);
  for (const theme of ["light", "dark"] as const) {
    await app.electron.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source;
    }, theme);
    const check = async (state: string) => {
      const { violations } = await axeOn(panel).analyze();
      expect(violations.map(({ id, nodes }) => [theme, state, id, nodes.map(({ html }) => html)])).toEqual([]);
    };
    await panel.getByRole("tab", { name: "Sessions" }).press("Enter");
    await panel.getByRole("button", { name: "More for default" }).press("Enter");
    await check("menu");
    await panel.getByRole("button", { name: "Close session" }).press("Enter");
    await panel.getByRole("dialog", { name: "Close “default”?" }).waitFor();
    await check("question");
    await panel.getByRole("button", { name: "Cancel" }).press("Enter");
    await panel.getByRole("tab", { name: "Activity" }).press("Enter");
    await panel.getByRole("combobox", { name: "Kind of activity" }).selectOption("Notifications");
    await panel.getByText("Build finished").waitFor();
    await check("past notifications");
  }
});

async function resized(app: TestApp, panel: Page, width: number): Promise<void> {
  const window = await app.electron.browserWindow(panel);
  await window.evaluate((own, size) => own.setBounds({ width: size }), width);
  await until("the new width", () => panel.evaluate((size) => innerWidth === size, width));
}

test("the language of the app changes at once: in its pages, and in the menu of its icon", {
  tags: "slow",
}, async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  const panel = await openPanel(app, desktop);
  const settings = await openSettings(app, desktop);
  await settings.getByRole("button", { name: "General" }).press("Enter");
  await settings.getByRole("combobox", { name: "Language" }).selectOption("de");
  await panel.getByRole("tab", { name: "Sitzungen" }).waitFor({ state: "attached" });
  await settings.getByRole("combobox", { name: "Sprache" }).selectOption("ja");
  await settings.getByRole("combobox", { name: "言語" }).waitFor();
  await (await desktop.trayItem(app.pid)).choose("パネルを表示");
});
