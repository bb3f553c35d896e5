import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { shows, startWebLab } from "./web-lab.ts";

const marked = (page: Page) => page.locator(".tile[data-typed-into]:visible").count();

test("what is typed goes to every shell on show and to no other, until that is stopped or another workspace shown", async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  const { shellIds } = await lab.command<{ shellIds: number[] }>("setup", { grid: "2x2" }, id);
  const [one = 0, two = 0, three = 0, hidden = 0] = shellIds;
  for (const shell of shellIds)
    await lab.command("writeToShell", { id: shell, data: "PS1='> '; clear; echo r-$((1+1))\n" }, id);
  await until("four prompts", async () => (await page.locator(".xterm-rows").getByText("r-2").count()) === 4);
  const tiles = await lab.command<{ key: number; id: number }[]>("getTiles", {}, id);
  const keyOf = (shell: number) => tiles.find((tile) => tile.id === shell)?.key;
  // Behind another tab.
  await lab.command("moveTile", { key: keyOf(hidden), target: keyOf(three), place: "tab" }, id);
  await lab.command("focusTile", { key: keyOf(three) }, id);
  await lab.command("focusTile", { key: keyOf(one) }, id);
  const outputOf = async (shell: number) =>
    (await lab.command<{ output: string }>("getShellOutput", { id: shell, plain: true }, id)).output;

  await page.locator(`.tile[data-tile="${keyOf(one)}"] .xterm`).click();
  await page.keyboard.press("Control+Shift+P");
  await page.keyboard.type("every shell on show");
  await page.keyboard.press("Enter");
  await page.getByText("Typing into every shell on show").waitFor();
  expect(await marked(page)).toBe(3);
  await page.keyboard.type("echo all-$((2+3))\n");
  for (const shell of [one, two, three])
    await until(`output of ${shell}`, async () => (await outputOf(shell)).includes("all-5"));
  expect(await outputOf(hidden)).not.toContain("all-");

  await page.getByRole("button", { name: "Stop" }).click();
  expect(await marked(page)).toBe(0);
  await page.keyboard.type("echo one-$((2+3))\n");
  await shows(page, "one-5");
  expect(await outputOf(two)).not.toContain("one-");

  await page.locator(`.tile[data-tile="${keyOf(one)}"] .xterm`).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Type into every shell on show" }).click();
  await until("marked tiles", async () => (await marked(page)) === 3);
  await lab.command("createWorkspace", {}, id);
  await page.getByText("Typing into every shell on show").waitFor({ state: "detached" });
});
