import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { startWebLab } from "./web-lab.ts";

test("the active workspace's tab is in sight among many, and a list leads to the others", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest({ width: 900 });
  for (let made = 0; made < 14; made++) await lab.command("createWorkspace", { name: `workspace-number-${made}` }, id);
  const active = page.locator(".workspace[aria-selected=true]");
  await active.getByText("workspace-number-13").first().waitFor();
  const inSight = () =>
    active.evaluate((tab) => {
      const [own, list] = [tab.getBoundingClientRect(), tab.parentElement?.getBoundingClientRect()];
      return list !== undefined && own.left >= list.left - 1 && own.right <= list.right + 1;
    });
  // Tabs fade where there are more of them.
  const beyond = () => page.locator(".workspace-list").getAttribute("data-beyond");
  await until("the last tab in sight", inSight);
  await until("more tabs at the left alone", async () => (await beyond()) === "before");
  await page.getByRole("button", { name: "All workspaces" }).click();
  await page.getByRole("button", { name: "Workspace 1", exact: true }).click();
  await until(
    "the first tab in sight",
    async () => (await active.textContent())?.includes("Workspace 1") === true && inSight(),
  );
  await until("more tabs at the right alone", async () => (await beyond()) === "after");
  await page.getByRole("button", { name: "All workspaces" }).click();
  await page.getByRole("button", { name: "workspace-number-6", exact: true }).click();
  await active.getByText("workspace-number-6").first().waitFor();
  await until("a tab in the middle, and not faded", async () =>
    active.evaluate((tab) => {
      const [own, list] = [tab.getBoundingClientRect(), tab.parentElement?.getBoundingClientRect()];
      return list !== undefined && own.left >= list.left + 17 && own.right <= list.right - 17;
    }),
  );
  await until("more tabs at both sides", async () => (await beyond()) === "before after");
});

test("short names of workspaces are not cut where many have long ones", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest({ width: 900 });
  await lab.command("renameWorkspace", { index: 0, name: "web" }, id);
  await lab.command("createShell", {}, id);
  for (let made = 0; made < 8; made++) await lab.command("createWorkspace", { name: `Übersichtlichkeit ${made}` }, id);
  const name = page.locator(".workspace").first().locator(".ellipsis");
  await page.locator(".workspace").nth(8).waitFor({ state: "attached" });
  expect(await name.textContent()).toBe("web");
  await until("the whole name", () => name.evaluate((text) => text.scrollWidth <= text.clientWidth));
});

test("a new workspace is made right of the tabs, whose long names are cut", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest({ width: 1600 });
  await lab.command("renameWorkspace", { index: 0, name: "Auftragsabwicklungsdienstleistungsgesellschaft" }, id);
  await page.locator(".workspace[data-long]").waitFor();
  const tab = await page.locator(".workspace").last().boundingBox();
  const add = await page.getByRole("button", { name: "New workspace" }).boundingBox();
  expect(tab?.width).toBe(180);
  expect((add?.x ?? 0) - (tab?.x ?? 0) - (tab?.width ?? 0)).toBeLessThan(10);
});

test("a long name leaves the role and the active tab in sight", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest({ width: 640, height: 500, name: "M".repeat(60) });
  await lab.command("renameWorkspace", { index: 0, name: "Wörterbuchverlagsgesellschaft" }, id);
  await lab.command("createWorkspace", { name: "second" }, id);
  await lab.command("switchWorkspace", { index: 0 }, id);
  const within = (inner: string, outer: string) =>
    until(`${inner} within ${outer}`, async () => {
      const [box, around] = await Promise.all([inner, outer].map((one) => page.locator(one).first().boundingBox()));
      return (
        !!box && !!around && box.width > 0 && box.x >= around.x && box.x + box.width <= around.x + around.width + 1
      );
    });
  await within(".own-name > :last-child", ".own-name");
  await within(".own-name", ".footer-end");
  await page.setViewportSize({ width: 320, height: 600 });
  await within(".workspace[aria-selected=true]", ".workspace-list");
});

test("the page's title names the session, and the page has an icon", async () => {
  await using lab = await startWebLab();
  const { page } = await lab.guest();
  await until("the title", async () => / - Patchbay$/.test(await page.title()));
  expect(await page.locator('link[rel="icon"]').getAttribute("href")).toMatch(/^data:image\/svg/);
});

test("the menu at the mark leads to places and to the documentation", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page } = await lab.guest();
  await page.getByRole("button", { name: /^Menu of the session/ }).click();
  await page.getByRole("button", { name: "Go to…" }).click();
  await page.getByRole("dialog", { name: "Go to" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Menu of the session/ }).click();
  const opened = page.waitForEvent("popup");
  await page.getByRole("button", { name: "API documentation" }).click();
  const docs = await opened;
  await docs.waitForLoadState();
  expect(new URL(docs.url()).pathname).toMatch(/^\/v1\/docs\/?$/);
  expect(await docs.title()).not.toBe("");
  // In the view's own colours, not in those of its viewer.
  const ground = () => docs.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await docs.emulateMedia({ colorScheme: "light" });
  expect(await ground()).toBe("rgb(244, 243, 240)");
  await docs.emulateMedia({ colorScheme: "dark" });
  expect(await ground()).toBe("rgb(15, 17, 19)");
});

test("what opens from the header stays within a window that becomes narrow", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page } = await lab.guest();
  await page.getByRole("button", { name: /here$/ }).click();
  const panel = page.getByRole("dialog", { name: /here$/ });
  await panel.waitFor();
  await page.setViewportSize({ width: 420, height: 700 });
  await until("the panel within the window", async () => {
    const box = await panel.boundingBox();
    return box !== null && box.x >= 0 && box.x + box.width <= 420;
  });
});

test("tiles are arranged and an empty workspace is filled by pictures", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  await page.getByRole("button", { name: "2 shells side by side" }).click();
  await page.locator(".tile").nth(1).waitFor();
  const lefts = async () =>
    new Set(await page.locator(".tile").evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().left)))
      .size;
  expect(await lefts()).toBe(2);
  await page.getByRole("button", { name: "Arrange the tiles" }).click();
  await page.getByRole("button", { name: "One above the other" }).click();
  await until("one column", async () => (await lefts()) === 1);
  expect(await lab.command<unknown[]>("getShells", {}, id)).toHaveLength(2);
});
