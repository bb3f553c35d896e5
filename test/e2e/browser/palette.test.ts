import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { shows, startWebLab } from "./web-lab.ts";

const palette = (page: Page, name: string) => page.getByRole("dialog", { name });
const titles = (page: Page) => page.locator(".palette-title").allTextContents();
const selected = (page: Page) => page.locator('[role="option"][aria-selected="true"] .palette-title').textContent();

test("the switcher finds a shell by its program and goes to it, by keys alone", async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  const made = async () => (await lab.command<{ key: number; shellId: number }>("createShell", {}, id)) ?? {};
  const sleeper = await made();
  await lab.command("writeToShell", { id: sleeper.shellId, data: "sleep 600\n" }, id);
  await lab.command("createWorkspace", { name: "release" }, id);
  const last = await made();
  await lab.command("writeToShell", { id: last.shellId, data: "echo here-$((1+1))\n" }, id);
  await shows(page, "here-2");
  await until("the program's name", async () => {
    const shells = await lab.command<{ id: number; process?: string | null }[]>("getShells", {}, id);
    return shells.some((shell) => shell.id === sleeper.shellId && shell.process === "sleep");
  });
  await page.locator(`.tile[data-tile="${last.key}"] .xterm`).click();

  // Ctrl+P belongs to the shell's history.
  await page.keyboard.press("Control+P");
  await shows(page, "echo here");
  expect(await palette(page, "Go to").count()).toBe(0);

  await page.keyboard.press("Alt+Shift+F");
  await palette(page, "Go to").waitFor();
  await page.keyboard.type("slp");
  await until("the program as the first match", async () => (await selected(page)) === "sleep 600");
  await page.keyboard.press("Enter");
  await page.locator(`.tile[data-tile="${sleeper.key}"][data-focused]:visible`).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);

  // Tab goes on to End, which asks because a program runs.
  await page.keyboard.press("Alt+Shift+F");
  await page.keyboard.type("sleep");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page
    .getByRole("dialog", { name: /^End “sleep 600”/ })
    .getByRole("button", { name: "End shell" })
    .click();
  await until("the shell to be gone from the list", async () => !(await titles(page)).includes("sleep 600"));
  expect(await palette(page, "Go to").count()).toBe(1);
});

test("where no shell has the keys, Ctrl+P goes to places; > leads to commands", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page } = await lab.guest();
  await page.keyboard.press("Control+P");
  await palette(page, "Go to").waitFor();
  await page.keyboard.type(">new sh");
  await palette(page, "Commands").waitFor();
  await until("the command", async () => (await selected(page)) === "New shell");
  await page.keyboard.press("Enter");
  await page.locator(".tile:visible").waitFor();
  // What was used last comes first.
  await page.keyboard.press("Control+Shift+P");
  await palette(page, "Commands").waitFor();
  expect((await titles(page))[0]).toBe("New shell");
  expect(await page.locator(".palette-group").first().textContent()).toBe("Recently used");
});

test("a search for commands finds places too, and a form asks in the user's words", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  await lab.command("createWorkspace", { name: "release" }, id);
  await page.keyboard.press("Control+Shift+P");
  await page.keyboard.type("release");
  await until("the workspace", async () => (await titles(page)).includes("release"));
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+Shift+P");
  await page.keyboard.type("web page");
  await page.keyboard.press("Enter");
  const form = palette(page, "Open a web page…");
  await form.getByLabel("Address").waitFor();
  await page.keyboard.press("Enter");
  await form.getByText("Address: give a value.").waitFor();
  await form.getByLabel("Address").fill("http://localhost:1/");
  await form.getByRole("button", { name: "Open" }).click();
  await page.locator(".tile:visible", { hasText: "localhost:1" }).waitFor();
});

test("a tile and a workspace are renamed in their place, starting from the name they have", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  const { key } = await lab.command<{ key: number }>("createShell", {}, id);
  await page.locator(`.tile[data-tile="${key}"] .xterm`).click();
  await page.keyboard.press("Alt+Shift+L");
  const field = page.getByLabel(/^Name of the tile/);
  expect(await field.inputValue()).not.toBe("");
  await page.keyboard.type("server");
  await page.keyboard.press("Enter");
  await page.locator(".title-bar .title", { hasText: "server" }).waitFor();
  await page.keyboard.press("Alt+Shift+L");
  expect(await field.inputValue()).toBe("server");
  await page.keyboard.press("Escape");

  await page.keyboard.press("Alt+Shift+H");
  await page.keyboard.type("release");
  await page.keyboard.press("Enter");
  await page.getByRole("tab", { name: /^release/ }).waitFor();
});

test("the list of shells is filtered and worked through by keys, and stays open while shells are ended", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  for (const cwd of ["/tmp", "/usr", "/etc"]) await lab.command("createShell", { cwd, tile: false }, id);
  await page.keyboard.press("Alt+Shift+I");
  const list = page.getByRole("dialog", { name: /shells?; show the list/ });
  await list.getByLabel("Filter the shells").waitFor();
  const rows = list.getByRole("listitem");
  expect(await rows.count()).toBe(3);
  await page.keyboard.type("us");
  await until("the match alone", async () => (await rows.count()) === 1);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("End usr");
  await until("the shell at its prompt", async () => {
    const shells = await lab.command<{ process?: string | null }[]>("getShells", {}, id);
    return shells.every((shell) => shell.process === null);
  });
  // The relay sends in order: a page that answers has heard that too.
  await lab.command("getTiles", {}, id);
  await page.keyboard.press("Enter");
  await until("the shell to be gone", async () => (await lab.command<unknown[]>("getShells", {}, id)).length === 2);
  // The keys stay in the list.
  await until("the focus on the filter", () =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label") === "Filter the shells"),
  );
  await list.getByLabel("Filter the shells").fill("");
  await until("the others", async () => (await rows.count()) === 2);
  // A button that goes away with its press does not give the keys to the terminal: Escape closes the list.
  await rows.first().getByRole("button", { name: /^Show/ }).click();
  await rows
    .first()
    .getByRole("button", { name: /^Go to/ })
    .waitFor();
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
});
