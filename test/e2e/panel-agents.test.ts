import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchApp, type TestApp } from "../support/app.ts";
import { axeOn } from "../support/axe.ts";
import { type DbusDesktop, startDbusDesktop } from "../support/dbus-desktop.ts";
import { spend } from "../support/spend.ts";
import { until } from "../support/until.ts";

let desktop: DbusDesktop;
let folder: string;
beforeAll(async () => {
  desktop = await startDbusDesktop();
  folder = await mkdtemp(path.join(tmpdir(), "patchbay-agent-"));
});
afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test("an agent that waits is a notification that leads to the inbox, a badge, and an entry that leads to its shell", async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  const first = (await app.call("createShell", { command: await waitingAgent() })) as { shellId: number; key: number };
  const second = (await app.call("createShell")) as { key: number };
  expect(await focused()).toBe(second.key);

  const shown = await until("the notification", () =>
    desktop.notifications.find(({ title }) => title === "claude waits for you"),
  );
  expect(shown.body).toContain("Session default");
  desktop.activate(shown.id);
  const inbox = await app.page("/tray/");
  await inbox.getByRole("tab", { name: "Now 1 waits for you", selected: true }).waitFor();
  await inbox.getByRole("group", { name: "claude waits for you" }).press("Enter");
  await app.window();
  await until("the focus on the agent's tile", async () => (await focused()) === first.key);
  // Where no window manager takes the focus from the panel, it is still there, and the menu's entry would hide it.
  await app.electron.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows())
      if (window.webContents.getURL().includes("/tray/")) window.hide();
  });

  await app.call("focusTile", { key: second.key });
  const item = await desktop.trayItem(app.pid);
  expect(await item.title()).toContain("1 waiting for you");
  await item.choose("claude waits for you in default");
  await until("the focus on the agent's tile again", async () => (await focused()) === first.key);

  await app.call("focusTile", { key: second.key });
  await item.choose("Show panel");
  const panel = await app.page("/tray/");
  await panel.getByRole("tab", { name: "Agents" }).press("Enter");
  await panel.getByRole("tabpanel").getByText("waits for you").waitFor();
  const { violations } = await axeOn(panel).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  const mute = panel.getByRole("button", { name: "Mute claude in default" });
  await mute.press("Enter");
  await until("the muted agent", async () => (await mute.getAttribute("aria-pressed")) === "true");
  await panel.getByRole("button", { name: "Show claude in default" }).press("Enter");
  await until("the focus from the panel", async () => (await focused()) === first.key);

  async function focused(): Promise<number | null | undefined> {
    const users = (await app.call("getUsers")) as readonly { focus: number | null }[];
    return users[0]?.focus;
  }
});

/** A command that runs what looks like Claude Code, which asks its user for something, as its terminal tells. */
async function waitingAgent(): Promise<string> {
  const file = path.join(folder, "@anthropic-ai", "claude-code", "cli.js");
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `setInterval(() => process.stdout.write("\\x1b]9;Claude needs your permission\\x07"), 200);\n`);
  return `"${process.execPath}" "${file}"`;
}

test("a budget is told at 80% and at 100%, once each, over restarts; the chart, table and export show the sum", {
  tags: "slow",
}, async () => {
  const data = await mkdtemp(path.join(tmpdir(), "patchbay-data-"));
  const earlier = desktop.notifications.length;
  const told = () =>
    desktop.notifications
      .slice(earlier)
      .map(({ title }) => title)
      .filter((title) => title.includes("budget"));
  {
    await using app = await launchApp({ data, args: ["--hidden"] });
    const panel = await openCosts(app);
    await panel.getByText("No costs today.").waitFor();
    await panel.getByRole("textbox", { name: "A day, all sessions" }).fill("5");
    await panel.getByRole("button", { name: "Set budgets" }).press("Enter");
    await panel.getByText("Budgets saved.").waitFor();
  }
  spend(data, 4.2);
  {
    await using app = await launchApp({ data, args: ["--hidden"] });
    await until("the first alert", () => told().length === 1);
    const panel = await openCosts(app);
    await panel.locator(".panel-big", { hasText: "$4.20" }).waitFor();
    expect(await panel.locator(".recharts-bar-rectangle").count()).toBeGreaterThan(0);
    const { violations } = await axeOn(panel).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    await panel.getByRole("button", { name: "Show a table" }).press("Enter");
    await panel.getByRole("radio", { name: "Model" }).press("Enter");
    await panel.getByRole("rowheader", { name: "claude-test", exact: true }).waitFor();
    await panel.getByRole("textbox", { name: /With a budget of a day/ }).fill("4");
    await panel.getByText(/It would have been reached at/).waitFor();

    const file = path.join(folder, "costs.csv");
    await app.electron.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = (async () => ({ canceled: false, filePath })) as unknown as typeof dialog.showSaveDialog;
    }, file);
    // By key: a panel that another window covers draws no frames, and a click waits for two.
    await panel.getByRole("button", { name: "Export CSV" }).press("Enter");
    await panel.getByText("Saved as").waitFor();
    expect(await readFile(file, "utf8")).toMatch(/claude-test,1,1000,100,0,4\.2\r\n$/);
  }
  spend(data, 1);
  {
    await using app = await launchApp({ data, args: ["--hidden"] });
    await until("the second alert", () => told().length === 2);
    const item = await desktop.trayItem(app.pid);
    await until("the sum in the menu", async () =>
      (await item.menu()).some(({ label }) => label === "$5.20 today at list prices"),
    );
  }
  expect(told()).toEqual(["Today's budget: 80% spent", "Today's budget is spent"]);
  await rm(data, { recursive: true, force: true });
});

async function openCosts(app: TestApp): Promise<Page> {
  await (await desktop.trayItem(app.pid)).choose("Show panel");
  const panel = await app.page("/tray/");
  await panel.getByRole("tab", { name: "Agents" }).press("Enter");
  await panel.locator(".panel-big").waitFor();
  return panel;
}
