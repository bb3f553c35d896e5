import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { launchApp, type TestApp } from "../support/app.ts";
import { until } from "../support/until.ts";

/** Without WebGL xterm.js draws text as DOM, so that a test can read it. */
const readable = { switches: ["--disable-gpu", "--disable-software-rasterizer"] };

const ownWindow = (app: TestApp) => app.page("/window/index.html?window=");

/** Two shells side by side, of which the first one moves to a window of its own by its menu. */
async function moveOut(app: TestApp): Promise<{ main: Page; own: Page; before: unknown }> {
  const main = await app.window();
  await app.call("createShell", { command: "echo first-$((40+2)); exec bash" });
  await app.call("splitShell", { direction: "horizontal" });
  const before = await app.call("getLayoutTree");
  await main.locator('.tile[data-tile="1"] .title-bar .title').click({ button: "right" });
  await main.getByRole("menuitem", { name: "Move to a new window" }).click();
  const own = await ownWindow(app);
  await shows(own, "first-42");
  return { main, own, before };
}

test("a tile goes to a window of its own, is typed into there, and comes back when the window is closed", async () => {
  await using app = await launchApp(readable);
  const { main, own, before } = await moveOut(app);
  expect(await main.locator(".tile:visible").count()).toBe(1);
  expect(await app.call("getWorkspaces")).toMatchObject([{ tiles: [2] }, { tiles: [1], window: true, active: true }]);
  expect(await app.call("getClients")).toHaveLength(1);
  const titles = () =>
    app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.getTitle()));
  await until("a title of its own", async () => (await titles()).some((title) => / - .* - Patchbay$/.test(title)));

  await own.locator(".xterm").click();
  await own.keyboard.type("echo typed-$((50+5))\n");
  await shows(own, "typed-55");
  await closeWindow(app, own);
  await shows(main, "typed-55");
  expect(await app.call("getLayoutTree")).toEqual(before);
});

test("its command and its last tile close the window; a crash of its page gives the tile back", {
  tags: "slow",
}, async () => {
  await using app = await launchApp(readable);
  const { main, own, before } = await moveOut(app);
  const closed = own.waitForEvent("close");
  // The window may be gone before the press is reported.
  await Promise.all([
    closed,
    own
      .getByRole("button", { name: "Move back" })
      .click()
      .catch(() => undefined),
  ]);
  await shows(main, "first-42");
  expect(await app.call("getLayoutTree")).toEqual(before);

  await app.call("breakTile", { tile: 1, window: true });
  const crashing = await ownWindow(app);
  await shows(crashing, "first-42");
  await app.electron.evaluate(({ webContents }) => {
    for (const page of webContents.getAllWebContents()) {
      if (page.getURL().includes("?window=")) page.forcefullyCrashRenderer();
    }
  });
  await shows(main, "first-42");
  expect(await app.call("getLayoutTree")).toEqual(before);

  await app.call("breakTile", { tile: 1, window: true });
  const last = await ownWindow(app);
  await shows(last, "first-42");
  await app.call("closeTile", { tile: 1 });
  await until("the window's end", () => last.isClosed());
  expect(await app.call("getWorkspaces")).toMatchObject([{ tiles: [2], active: true }]);
});

test("the window goes with the main one, and is there again with it and after a crash of the app", {
  timeout: 180_000,
  tags: "slow",
}, async () => {
  await using app = await launchApp(readable);
  const { main, own } = await moveOut(app);
  await closeWindow(app, main);
  await until("the window's end", () => own.isClosed());
  const spaces = await app.call("getWorkspaces");
  expect(spaces).toMatchObject([{ tiles: [2] }, { tiles: [1], window: true }]);
  app.process.kill("SIGKILL");
  await app.ended();

  await using again = await launchApp({ ...readable, data: app.data });
  await shows(await ownWindow(again), "first-42");
  const first = again.electron.windows().find((page) => /[/]window[/]index\.html(?!.*[?&]window=)/.test(page.url()));
  expect(await first?.locator('.tile[data-tile="1"]').count()).toBe(0);
});

/** Closes a window as its user does. */
async function closeWindow(app: TestApp, page: Page): Promise<void> {
  const closed = page.waitForEvent("close");
  const url = page.url();
  await app.electron.evaluate(({ BrowserWindow }, wanted) => {
    BrowserWindow.getAllWindows()
      .find(({ webContents }) => webContents.getURL() === wanted)
      ?.close();
  }, url);
  await closed;
}

async function shows(page: Page, text: string): Promise<void> {
  const shown = async () => (await page.locator(".xterm-rows").allInnerTexts()).join("\n");
  await until(`"${text}" in the window`, async () => (await shown()).includes(text));
}
