import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { shows, startWebLab } from "./web-lab.ts";

const menu = (page: Page) => page.getByRole("menu");
const item = (page: Page, name: string) => menu(page).getByRole("menuitem", { name });
const labels = (page: Page) => menu(page).getByRole("menuitem").locator(".ellipsis").allInnerTexts();

test("a terminal has a menu by the pointer and by the keyboard, where its cursor is", async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, id);
  await lab.command("writeToShell", { id: shellId, data: "PS1='> '; clear; echo up-$((1+1))\n" }, id);
  await shows(page, "up-2");
  const screen = page.locator(".xterm-screen");
  await screen.click({ button: "right", position: { x: 300, y: 200 } });
  expect(await labels(page)).toEqual([
    ...["Paste", "Select everything", "Search", "Open the history", "Split right", "Split below", "Rename", "Maximize"],
    ...["Move to a new window", "Close the tile", "End the shell", "Terminal settings…"],
  ]);
  const box = await menu(page).boundingBox();
  const at = await screen.boundingBox();
  expect([box?.x, box?.y]).toEqual([(at?.x ?? 0) + 300, (at?.y ?? 0) + 200]);
  await page.keyboard.press("Escape");
  await menu(page).waitFor({ state: "detached" });

  await page.keyboard.press("Shift+F10");
  expect(((await menu(page).boundingBox())?.y ?? 0) - (at?.y ?? 0)).toBeLessThan(100);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByPlaceholder("Search").waitFor();
  await page.keyboard.press("Escape");
  // Letters go to items, and the keys are back in the terminal at the end.
  await page.keyboard.press("ContextMenu");
  await page.keyboard.press("r");
  await until(
    "Rename",
    async () => (await page.locator("[role=menuitem]:focus").textContent())?.startsWith("Rename") === true,
  );
  await page.keyboard.press("Tab");
  await page.keyboard.type("echo after-$((1+1))\n");
  await shows(page, "after-2");
});

test("a program that takes the pointer gets the press; with Shift the menu opens", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, id);
  await lab.command("writeToShell", { id: shellId, data: "printf '\\033[?1000h\\033[?1006hready-%s' 2; cat -v\n" }, id);
  await shows(page, "ready-2");
  await page.locator(".xterm-screen").click({ button: "right", position: { x: 50, y: 100 } });
  await shows(page, "^[[<2;");
  expect(await menu(page).count()).toBe(0);
  await page.keyboard.down("Shift");
  await page.locator(".xterm-screen").click({ button: "right", position: { x: 50, y: 100 } });
  await page.keyboard.up("Shift");
  await menu(page).waitFor();
});

test("a closed tile is reopened by its message and by a key, with its shell as it was", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, id);
  await lab.command("splitShell", { direction: "horizontal" }, id);
  await lab.command("writeToShell", { id: shellId, data: "clear; echo kept-$((1+1))\n" }, id);
  await shows(page, "kept-2");
  const bar = page.locator(".title-bar").first();
  const close = async () => {
    await bar.click({ button: "right", position: { x: 10, y: 10 } });
    await item(page, "Close the tile").click();
    await until("one tile", async () => (await page.locator(".tile").count()) === 1);
  };
  await close();
  await page.getByRole("button", { name: "Reopen" }).click();
  await shows(page, "kept-2");
  const left = await page.locator(".tile", { hasText: "kept-2" }).boundingBox();
  expect(left?.x).toBeLessThan(20);
  await close();
  await page.keyboard.press("Alt+Shift+Z");
  await shows(page, "kept-2");
});

test("a tile goes to another workspace by menu, by drag and by form", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest({ width: 1400 });
  for (let made = 0; made < 3; made++) await lab.command("createShell", {}, id);
  await lab.command("createWorkspace", { name: "logs", focus: false }, id);
  const counts = async () =>
    (await lab.command<{ tiles: number[] }[]>("getWorkspaces", {}, id)).map(({ tiles }) => tiles.length);
  const bar = page.locator(".title-bar").first();
  await bar.click({ button: "right", position: { x: 10, y: 10 } });
  await item(page, "Move to “logs”").click();
  await until("a tile in logs", async () => String(await counts()) === "2,1");

  const from = await bar.boundingBox();
  const tab = await page.getByRole("tab", { name: /^logs/ }).boundingBox();
  const plus = await page.getByRole("button", { name: "New workspace" }).boundingBox();
  if (from === null || tab === null || plus === null) throw new Error("the bar and its targets");
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(plus.x + 5, plus.y + 5, { steps: 4 });
  await page.locator("[data-workspace=new][data-drop]").waitFor();
  await page.mouse.move(tab.x + 10, tab.y + 10, { steps: 4 });
  await page.locator("[data-workspace='1'][data-drop]").waitFor();
  await page.mouse.up();
  await until("two tiles in logs", async () => String(await counts()) === "1,2");
  expect(await page.locator("[data-drop]").count()).toBe(0);

  await page.keyboard.press("Alt+Shift+Y");
  await page.getByLabel("Workspace", { exact: true }).selectOption({ label: "logs" });
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await until("all tiles in logs", async () => String(await counts()) === "0,3");
});

test("workspaces and people have menus; a reader's offer nothing that is refused", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  await lab.command("createShell", {}, id);
  await lab.command("createWorkspace", { name: "logs", focus: false }, id);
  await page.getByRole("tab", { name: /^logs/ }).click({ button: "right" });
  expect(await labels(page)).toEqual(["Go to", "Rename", "Close", "New workspace"]);
  await item(page, "Rename").click();
  await page.keyboard.type("servers\n");
  await page.getByRole("tab", { name: /^servers/ }).waitFor();

  const reader = await lab.guest({ role: "reader" });
  await reader.page.getByRole("button", { name: /people are here$/ }).click();
  await reader.page.locator(".person").first().click({ button: "right" });
  const watch = reader.page.getByRole("menuitem", { name: /^Watch/ });
  await watch.click();
  await reader.page.locator(".xterm").click({ button: "right" });
  expect(await labels(reader.page)).toEqual(expect.arrayContaining(["Search", "Maximize", "Close the tile"]));
  expect((await labels(reader.page)).filter((label) => /Split|Rename|End|Take/.test(label))).toEqual([]);
});
