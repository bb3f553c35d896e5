import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeOn } from "../../support/axe.ts";
import { until } from "../../support/until.ts";
import { type Guest, shows, startWebLab, textOf, type WebLab } from "./web-lab.ts";

interface WorkspaceEntry {
  readonly tiles: readonly number[];
  readonly active: boolean;
  readonly window?: boolean;
}

/** A guest with three shells, side by side and one above the other; the first one is told apart by its output. */
async function threeShells(lab: WebLab): Promise<Guest> {
  const guest = await lab.guest();
  await lab.command("createShell", { command: "echo first-$((40+2))" }, guest.id);
  await lab.command("splitShell", { direction: "horizontal" }, guest.id);
  await lab.command("splitShell", { direction: "vertical" }, guest.id);
  await lab.command("focusTile", { key: 1 }, guest.id);
  await shows(guest.page, "first-42");
  return guest;
}

/** Moves a tile to a window of its own by its menu. */
async function moveOut({ page }: Pick<Guest, "page">, tile: number): Promise<Page> {
  const opened = page.waitForEvent("popup");
  await page.locator(`.tile[data-tile="${tile}"] .title-bar .title`).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Move to a new window" }).click();
  return opened;
}

async function moveBack(window: Page): Promise<void> {
  const closed = window.waitForEvent("close");
  // The window may be gone before the press is reported.
  await Promise.all([
    closed,
    window
      .getByRole("button", { name: "Move back" })
      .click()
      .catch(() => undefined),
  ]);
}

const workspaces = (lab: WebLab, { id }: Guest) => lab.command<WorkspaceEntry[]>("getWorkspaces", {}, id);
const tree = (lab: WebLab, { id }: Guest) => lab.command("getLayoutTree", {}, id);

test("a tile goes to a window of its own, is typed into there, and comes back to where it was", async () => {
  await using lab = await startWebLab();
  const guest = await threeShells(lab);
  const before = await tree(lab, guest);
  const popup = await moveOut(guest, 1);

  await shows(popup, "first-42");
  expect(await guest.page.locator(".tile:visible").count()).toBe(2);
  expect(await guest.page.locator('.tile[data-tile="1"]').count()).toBe(0);
  expect(await workspaces(lab, guest)).toMatchObject([
    { tiles: [2, 3], active: false },
    { tiles: [1], active: true, window: true },
  ]);
  // The same person, and no further connection.
  expect(await lab.users()).toHaveLength(1);
  await popup.locator('.tile[data-tile="1"][data-focused]').waitFor();
  await popup.keyboard.type("echo typed-$((50+5))\n");
  await shows(popup, "typed-55");
  expect(await popup.title()).toMatch(/ · .* Patchbay/);
  await expect(guest.page.getByRole("tab", { name: "in a window of its own" }).count()).resolves.toBe(1);
  for (const page of [guest.page, popup]) {
    expect((await axeOn(page).include(".header").analyze()).violations).toEqual([]);
  }

  await moveBack(popup);
  await shows(guest.page, "typed-55");
  expect(await tree(lab, guest)).toEqual(before);
  expect(await workspaces(lab, guest)).toMatchObject([{ tiles: [1, 2, 3], active: true }]);
});

test("closing the window brings its tiles back, and its last tile closes it", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const guest = await threeShells(lab);
  const before = await tree(lab, guest);
  const popup = await moveOut(guest, 1);
  await shows(popup, "first-42");
  await popup.close();
  await until("the tile in the main window", async () => (await textOf(guest.page)).includes("first-42"));
  expect(await tree(lab, guest)).toEqual(before);

  const again = await moveOut(guest, 1);
  await shows(again, "first-42");
  const closed = again.waitForEvent("close");
  await lab.command("closeTile", { tile: 1 }, guest.id);
  await closed;
  expect(await workspaces(lab, guest)).toMatchObject([{ tiles: [2, 3], active: true }]);
  expect(await lab.command<{ running: boolean }[]>("getShells")).toHaveLength(3);
});

test("both windows survive a reload, and the window closes with the page that has opened it", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const guest = await threeShells(lab);
  const popup = await moveOut(guest, 1);
  await shows(popup, "first-42");

  await popup.reload();
  await shows(popup, "first-42");
  await guest.page.reload();
  await guest.page.locator('.tile[data-tile="2"]').waitFor();
  await shows(popup, "first-42");
  await until("one place for the tile", async () => (await guest.page.locator('.tile[data-tile="1"]').count()) === 0);
  await popup.locator(".xterm").click();
  await popup.keyboard.type("echo again-$((50+6))\n");
  await shows(popup, "again-56");

  const closed = popup.waitForEvent("close");
  await guest.page.close();
  await closed;
});

test("what a user does in one window happens there, and a place in the other one is gone to", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const guest = await threeShells(lab);
  const popup = await moveOut(guest, 1);
  await shows(popup, "first-42");
  await popup.locator(".xterm").click();
  await popup.keyboard.press("Alt+Shift+B");
  await until("two tiles in the window", async () => (await popup.locator(".tile:visible").count()) === 2);
  const more = popup.waitForEvent("popup");
  await popup.keyboard.press("Control+Shift+P");
  await popup.keyboard.type("to a new window");
  await popup.keyboard.press("Enter");
  const second = await more;
  await moveBack(second);
  await until("two tiles in the window again", async () => (await popup.locator(".tile:visible").count()) === 2);
  await guest.page.locator('.tile[data-tile="2"] .xterm').click();
  await guest.page.keyboard.press("Alt+Shift+R");
  await until("three tiles in the main one", async () => (await guest.page.locator(".tile:visible").count()) === 3);
  expect(await popup.locator(".tile:visible").count()).toBe(2);

  await guest.page.getByRole("tab", { name: "in a window of its own" }).click();
  await until("the other workspace", async () => (await workspaces(lab, guest))[1]?.active === true);
  expect(await guest.page.locator(".tile:visible").count()).toBe(3);
});

test("a blocked window is told, and the tile stays", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const guest = await threeShells(lab);
  await guest.page.evaluate(() => {
    window.open = () => null;
  });
  await guest.page.keyboard.press("Control+Shift+P");
  await guest.page.keyboard.type("move the tile to a new window");
  await guest.page.keyboard.press("Enter");
  await guest.page.getByText("The browser did not open a window.").waitFor();
  expect(await workspaces(lab, guest)).toMatchObject([{ tiles: [1, 2, 3] }]);
});

test("who can watch has a window too; who asks by a command alone gets a workspace, and a window from its menu", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const host = await threeShells(lab);
  const reader = await lab.guest({ role: "reader" });
  await reader.page.getByRole("button", { name: /3 shells/ }).click();
  await reader.page
    .getByRole("button", { name: /^Watch/ })
    .first()
    .click();
  await reader.page.locator(".xterm").waitFor();
  await reader.page.keyboard.press("Escape");
  const [tile] = (await workspaces(lab, reader))[0]?.tiles ?? [];
  const popup = await moveOut(reader, tile ?? -1);
  await popup.getByRole("button", { name: "Move back" }).waitFor();
  await popup.locator(".xterm").waitFor();

  await lab.command("breakTile", { tile: 1, window: true }, host.id);
  await host.page.locator('.tile[data-tile="1"]').waitFor();
  await host.page.getByRole("tab", { name: "Workspace 2" }).click({ button: "right" });
  const opened = host.page.waitForEvent("popup");
  await host.page.getByRole("menuitem", { name: "Open in a window again" }).click();
  await shows(await opened, "first-42");
});

test("a shell that is shown in both windows runs on in both", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const guest = await threeShells(lab);
  await lab.command("openTile", { type: "shell", shell: 1, tile: 2, place: "down" }, guest.id);
  const popup = await moveOut(guest, 1);
  await shows(popup, "first-42");
  await lab.command("writeToShell", { id: 1, data: "echo both-$((50+7))\n" });
  for (const page of [popup, guest.page]) await shows(page, "both-57");
});
