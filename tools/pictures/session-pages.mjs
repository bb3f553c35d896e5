/// <reference lib="dom" />
/**
 * States of the session view that need data which a new relay does not have, for a look at every picture (`--widths`): costs
 * of a day, many search results, a conversation, and shells that can be started again. They are drawn in the development page.
 *
 * @typedef {import("playwright-core").Page} Page
 * @typedef {(page: Page, state: string) => Promise<void>} Picture
 */
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

/** Serves the development page of the session view from the sources. */
export async function serveSession() {
  const configFile = fileURLToPath(new URL("../../renderer/vite.config.ts", import.meta.url));
  const server = await createServer({ configFile, server: { port: 0, hmr: false }, logLevel: "error" });
  return await server.listen();
}

/**
 * Draws the scenes of the development page.
 * @param {Page} page empty, and wide enough for the whole footer
 * @param {Picture} picture
 */
export async function drawPages(page, picture) {
  const server = await serveSession();
  const [address = ""] = server.resolvedUrls?.local ?? [];
  const open = async (/** @type {string} */ scene) => {
    await page.goto(`${address}session/dev/?scene=${scene}`);
    await page.getByText("Connected", { exact: true }).waitFor();
  };
  try {
    await page.addInitScript(bringCosts);
    await open("six");
    await page.locator(".day-line").waitFor();
    await picture(page, "costs");
    await drawPalette(page, picture);
    await open("six");
    await drawSearch(page, picture);
    for (const scene of ["ended-one", "ended", "ended-forty"]) {
      await open(scene);
      await page.locator(".restore-notice").waitFor();
      await picture(page, `${scene}-notice`);
      await page.getByRole("button", { name: "Show what ran…" }).click();
      await page.locator(".restore-offer").first().waitFor();
      await picture(page, `${scene}-restore`);
    }
  } finally {
    await server.close();
  }
}

/**
 * Draws a choice that is completed behind the name of a command, its form, and a form with the values of the last time.
 * @param {Page} page @param {Picture} picture
 */
async function drawPalette(page, picture) {
  await page.keyboard.press("Control+Shift+P");
  await page.keyboard.type("move the tile to another workspace rel");
  await page.locator(".palette-line", { hasText: "release" }).waitFor();
  await picture(page, "palette-choice");
  await page.keyboard.press("Enter");
  const form = page.locator(".command-form");
  await form.waitFor();
  await picture(page, "palette-choice-form");
  await form.getByRole("button", { name: "Cancel" }).click();
  const openForm = async () => {
    await page.keyboard.press("Control+Shift+P");
    await page.keyboard.type("new shell with");
    await page.keyboard.press("Enter");
    await form.waitFor();
  };
  await openForm();
  await form.getByLabel("Folder", { exact: true }).fill("/home/mara/src/api");
  await form.getByLabel("Name", { exact: true }).fill("server");
  await form.getByRole("button", { name: "Start" }).click();
  await form.waitFor({ state: "detached" });
  await openForm();
  await picture(page, "palette-last-values");
}

/**
 * Draws one search result, forty of them, the conversation that a result leads to, and its place in the history, in the search and as a tile.
 * @param {Page} page @param {Picture} picture
 */
async function drawSearch(page, picture) {
  const lines = page.locator(".search-line");
  const search = async (/** @type {string} */ text) => {
    await page.keyboard.press("Control+A");
    await page.keyboard.type(text);
  };
  await page.keyboard.press("Control+Shift+F");
  await page.getByRole("dialog", { name: "Search everything" }).waitFor();
  await search("results 1");
  await lines.filter({ hasText: "results-000000" }).waitFor();
  await picture(page, "search-one");
  await search("results 40");
  await lines.nth(39).waitFor();
  await picture(page, "search-forty");
  await search("conversation");
  await lines.and(page.locator("[data-in=conversations]")).waitFor();
  await picture(page, "search-conversation");
  await page.keyboard.press("Enter");
  await page.getByRole("list", { name: "Messages" }).waitFor();
  await picture(page, "conversation");
  await page.keyboard.press("Escape");
  await search("results 1");
  await lines.filter({ hasText: "results-000000" }).waitFor();
  await page.keyboard.press("Shift+Enter");
  await page.getByRole("slider").waitFor();
  await picture(page, "history-place");
  await page.getByRole("button", { name: "Open as a tile" }).click();
  await page.getByRole("group", { name: /^History of/ }).waitFor();
  await page.getByRole("slider").waitFor();
  await picture(page, "history-tile");
}

/** Runs in the development page, whose footer has the costs of the day of a drawer only. */
function bringCosts() {
  const subscribe = () => () => {};
  const day = { costToday: 4.02, costByHour: [0, 0.31, 0.31, 0.94, 1.6, 1.6, 2.45, 3.9, 4.02], budget: 5 };
  const costs = { get: () => day, subscribe };
  Object.assign(window, { drawer: { waiting: { get: () => 0, subscribe }, costs, load: async () => () => null } });
}
