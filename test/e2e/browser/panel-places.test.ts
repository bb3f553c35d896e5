// @module-tag slow
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { objections } from "../../support/panel-objections.ts";
import { spend } from "../../support/spend.ts";
import { until } from "../../support/until.ts";
import { startWebLab, type WebLab } from "./web-lab.ts";

/** Every place of the panel and every section of its settings, reached by keys alone, in both themes. */
let lab: WebLab;

beforeAll(async () => {
  lab = await startWebLab({ client: true });
  await lab.kill();
  spend(lab.data, 2.5);
  await lab.revive();
  await lab.guest({ role: "reader", name: "Mira" });
}, 60_000);
afterAll(() => lab[Symbol.asyncDispose]());

const PLACES = ["Now", "Sessions", "Agents", "Activity", "Settings"];

const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

test.each(sizes)("arrows lead through all places at $width px, and axe objects to nothing", async (size) => {
  const page = await openPanel(size);
  const current = (name: string) => page.getByRole("tab", { name }).and(page.locator("[aria-selected=true]:focus"));
  await tabTo(page, "[role=tab]", "Now");
  for (const place of PLACES) {
    await current(place).waitFor();
    await page.getByRole("tabpanel").waitFor();
    await inBothThemes(page, place);
    await page.keyboard.press("ArrowRight");
  }
  // From the last the arrow goes on to the first.
  await current("Now").waitFor();
});

test.each(sizes)(
  "keys lead through all sections of the settings at $width px, and the focus is never lost",
  async (size) => {
    const page = await openPanel(size);
    // In a narrow window a section takes the place of the list.
    const isNarrow = size.width < 700;
    await page.keyboard.press("Control+,");
    const sections = page.locator("[data-section]");
    await sections.first().waitFor();
    const names = await sections.allInnerTexts();
    expect(names.length).toBeGreaterThan(8);
    for (const [index, name] of names.entries()) {
      await tabTo(page, "[data-section]", name);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name, exact: true }).waitFor();
      expect(await hasFocus(page), name).toBe(true);
      // What a section has is the same in any width.
      if (!isNarrow) await inBothThemes(page, name);
      if (!isNarrow || index === names.length - 1) continue;
      await page.keyboard.press("Escape");
      await sections.nth(index).and(page.locator(":focus")).waitFor();
    }
  },
  240_000,
);

test("on a lying phone the places stay in sight, and each begins at its top", async () => {
  const page = await openPanel({ width: 844, height: 390 });
  const isInSight = (name: string) =>
    page.getByRole("tab", { name }).evaluate((tab) => tab.getBoundingClientRect().bottom <= innerHeight);
  for (const place of ["Agents", "Sessions", "Activity", "Settings", "Now"]) {
    expect(await isInSight(place), place).toBe(true);
    await page.getByRole("tab", { name: place }).click();
    await page.getByRole("tabpanel", { name: place }).waitFor();
    expect(await page.evaluate(() => scrollY), place).toBe(0);
    const scroll = () =>
      page.evaluate(() => {
        window.scrollTo(0, 2000);
        return window.scrollY > 100;
      });
    if (place === "Agents") await until("scrolled", scroll);
  }
});

test("the overview of workspaces is reached, gone through and left by keys, and axe objects to nothing", async () => {
  const { page, id } = await lab.guest({ role: "writer", name: "Ann" });
  await lab.command("createShell", {}, id);
  await lab.command("createWorkspace", { name: "release" }, id);
  await lab.command("createShell", {}, id);
  await page.locator(".tile:visible .xterm").click();
  const overview = page.getByRole("dialog", { name: "All workspaces" });
  await page.keyboard.press("Alt+Shift+Home");
  await overview
    .getByRole("button", { name: /release/ })
    .and(page.locator(":focus"))
    .waitFor();
  await inBothThemes(page, "overview");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await overview.waitFor({ state: "detached" });
  await page.getByRole("tab", { name: /^release/, selected: false }).waitFor();
  await page.keyboard.press("Alt+Shift+Home");
  await overview.waitFor();
  await page.keyboard.press("Escape");
  await overview.waitFor({ state: "detached" });
  await until("the keys in the terminal", () =>
    page.evaluate(() => document.activeElement?.closest(".xterm") !== null),
  );
});

async function openPanel(size: { readonly width: number; readonly height: number }): Promise<Page> {
  const { page } = await lab.browser(size);
  await page.goto(`${lab.relay().url}/panel#token=${lab.key}`);
  await page.locator(":focus").waitFor();
  return page;
}

/** Expects that axe has nothing to object to, in the dark and in the light theme. */
async function inBothThemes(page: Page, what: string): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await objections(page), `${what}, ${colorScheme}`).toEqual([]);
  }
}

/** Presses Tab until a control has the focus. */
async function tabTo(page: Page, control: string, name: string): Promise<void> {
  const wanted = page.locator(`${control}:focus`, { hasText: name });
  for (let keys = 0; (await wanted.count()) === 0; keys++) {
    expect(keys, `Tab to ${name}`).toBeLessThan(100);
    await page.keyboard.press("Tab");
  }
}

function hasFocus(page: Page): Promise<boolean> {
  return page.evaluate(() => document.activeElement !== null && document.activeElement !== document.body);
}
