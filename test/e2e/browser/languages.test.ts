import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { languages } from "../../../core/phrases.ts";
import {
  askedPanel,
  audit,
  filledPanel,
  fleet,
  invites,
  keys,
  policies,
  prices,
  quotaWindows,
  receipts,
  remotes,
  shellUsage,
  usage,
} from "../../../tools/pictures/panel-scenes.mjs";
import { cutTexts, openMadeUpPanel, PANEL_NOW } from "./made-up-panel.ts";
import { startWebLab, type WebLab } from "./web-lab.ts";

/** The panel in each language, where a text would be cut that is longer than the English one. */
/** The width of the drawer. */
const SIZE = { width: 380, height: 620 };
const NOW = PANEL_NOW;

describe.each(languages)("%s", (language) => {
  // German has the longest words.
  const tags = language === "de" ? [] : ["slow"];

  test("nothing is cut in any place of the panel, nor in any section of the settings", { tags }, async () => {
    const page = await openMadeUpPanel(SIZE, language, {
      "panel.changed": filledPanel(NOW),
      getMachines: remotes(NOW),
      usage: usage(NOW),
      getQuotaWindows: quotaWindows(NOW),
      getFleet: fleet(NOW),
      getPrices: prices(NOW),
      getReceipts: receipts(NOW),
      getPolicies: policies(NOW),
      getShellUsage: shellUsage(NOW),
      listInvites: invites(NOW),
      listKeys: keys(NOW),
      audit: audit(NOW),
      listNotifications: [],
    });
    expect(await page.locator("html").getAttribute("lang")).toBe(language);
    const tabs = page.getByRole("tab");
    const cut: unknown[] = [];
    for (const [index, name] of (await tabs.allTextContents()).entries()) {
      await tabs.nth(index).click();
      await page.getByRole("tabpanel").locator("> *").first().waitFor();
      cut.push(...(await cutTexts(page)).map((text) => [name, text]));
    }
    const sections = page.locator(".settings-nav .settings-section");
    for (const [index, name] of (await sections.allTextContents()).entries()) {
      await sections.nth(index).click();
      await page.locator(".settings-body > *").nth(1).waitFor();
      cut.push(...(await cutTexts(page)).map((text) => [name, text]));
      const back = page.locator(".settings-body button").first();
      if (!(await sections.first().isVisible())) await back.click();
    }
    expect(cut).toEqual([]);
    await page.context().close();
  });

  test("nor with twenty questions", { tags }, async () => {
    const page = await openMadeUpPanel(SIZE, language, {
      "panel.changed": askedPanel(NOW, 20),
      usage: usage(NOW),
      getMachines: [],
    });
    await page.locator("[data-question]").first().focus();
    expect(await cutTexts(page)).toEqual([]);
    await page.context().close();
  });
});

test("the app's pages change their language at once", async () => {
  const page = await openMadeUpPanel(SIZE, "de", {
    "panel.changed": filledPanel(NOW),
    getShellUsage: shellUsage(NOW),
    usage: usage(NOW),
    getMachines: [],
  });
  await page.getByRole("tab", { name: "Sitzungen" }).click();
  await page.getByRole("button", { name: "Neue Sitzung" }).waitFor();
  await page.evaluate(() => Reflect.get(window, "speak")({ language: "ja", locale: "ja" }));
  await page.getByRole("button", { name: "新しいセッション" }).waitFor();
  await page.evaluate(() => Reflect.get(window, "speak")({ language: "en", locale: "en-US" }));
  await page.getByRole("button", { name: "New session" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("en");
  await page.context().close();
});

describe("in a browser", () => {
  let lab: WebLab;
  beforeAll(async () => {
    lab = await startWebLab({ client: true });
  }, 60_000);
  afterAll(() => lab[Symbol.asyncDispose]());

  test("the panel speaks the browser's language, and another once the user chooses it, which the session has too", async () => {
    const { page, context } = await lab.browser({ width: 1280, height: 800 });
    await page.addInitScript(() =>
      Object.defineProperty(navigator, "languages", { get: () => ["de-AT", "en"], configurable: true }),
    );
    await page.goto(`${lab.relay().url}/panel#token=${lab.key}`);
    await page.getByRole("tab", { name: "Einstellungen" }).click();
    const choice = page.getByRole("combobox", { name: "Sprache" });
    expect(await choice.inputValue()).toBe("system");
    const find = page.getByRole("searchbox", { name: "Einstellungen durchsuchen" });
    await find.fill("schriftgr");
    await page.getByText("Schriftgröße").first().waitFor();
    await find.fill("");
    await choice.selectOption("ja");
    await page.getByRole("tab", { name: "設定", selected: true }).waitFor();
    expect(await page.getByRole("combobox", { name: "言語" }).inputValue()).toBe("ja");
    await page.reload();
    await page.getByRole("tab", { name: "設定" }).waitFor();

    const guest = await context.newPage();
    await guest.goto(await lab.invite({ role: "writer" }));
    await guest.getByRole("button", { name: /に参加$/ }).click();
    await guest.getByRole("button", { name: "新しいシェル" }).first().waitFor();
    await guest.keyboard.press("Control+Shift+P");
    await guest.getByRole("combobox").fill("Deutsch");
    await guest.keyboard.press("Enter");
    await guest.getByRole("button", { name: "Neue Shell" }).first().waitFor();
    // Names that are translated are found by their own letters, and by the English ones.
    await guest.keyboard.press("Control+Shift+P");
    for (const text of ["nach rechts", "split pane"]) {
      await guest.getByRole("combobox").fill(text);
      await guest
        .getByRole("option", { name: /Nach rechts teilen/ })
        .first()
        .waitFor();
    }
  });
});
