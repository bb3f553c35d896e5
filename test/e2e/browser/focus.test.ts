import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { type Guest, startWebLab, type WebLab } from "./web-lab.ts";

interface TileEntry {
  readonly key: number;
  readonly id: number;
  readonly active: boolean;
}

/** Controls of the frame that users press; each ends where a terminal has the keys again. */
const presses: readonly ((page: Page) => Promise<unknown>)[] = [
  (page) => button(page, "New shell").click(),
  (page) =>
    button(page, "New workspace")
      .click()
      .then(() => page.locator(".empty-stage").getByRole("button", { name: "New shell" }).click()),
  (page) => page.getByRole("tab", { selected: false }).first().click(),
  (page) => page.locator(".workspace[aria-selected=true]").click(),
  (page) => page.locator(".tile[data-focused]").getByRole("button", { name: "Split right" }).click(),
  (page) =>
    page
      .locator(".tile[data-focused]")
      .getByRole("button", { name: /Maximize|Restore/ })
      .click(),
  (page) => page.locator(".tile:visible .title-bar .title").first().click(),
  (page) => page.locator(".tile:visible .xterm").last().click(),
  (page) => page.locator(".header").click({ position: { x: 4, y: 20 } }),
  (page) => page.locator(".footer").click({ position: { x: 4, y: 14 } }),
  (page) =>
    button(page, /here$/)
      .click()
      .then(() => page.keyboard.press("Escape")),
  (page) =>
    button(page, /here$/)
      .click()
      .then(() => button(page, /here$/).click()),
  (page) =>
    page
      .locator(".chat-button")
      .click()
      .then(() => page.locator(".chat-button").click()),
  (page) => page.keyboard.press("Alt+Shift+C").then(() => page.keyboard.press("Alt+Shift+C")),
  (page) => page.keyboard.press("Alt+Shift+I").then(() => page.keyboard.press("Escape")),
  (page) => page.keyboard.press("Control+Shift+P").then(() => page.keyboard.press("Escape")),
  (page) => page.keyboard.press("Control+Shift+F").then(() => page.keyboard.press("Escape")),
  (page) => page.keyboard.press("Alt+Shift+R"),
  (page) => page.keyboard.press("Alt+Shift+A"),
  (page) => page.keyboard.press("Alt+Shift+1"),
];

/** The presses that make a shell. */
const makesShell = new Set([0, 1, 4, 17]);

test.each([1, 2])(
  "every key after any press on the frame reaches the focused shell, in order %i",
  { tags: "slow" },
  async (seed) => {
    await using lab = await startWebLab();
    const guest = await lab.guest({ webgl: true });
    const { page, id } = guest;
    await lab.command("setup", { grid: "2x1" }, id);
    await lab.command("createWorkspace", {}, id);
    await lab.command("createShell", {}, id);
    const order = shuffled([...presses.entries()], seed);
    const shells = async () => (await lab.command<unknown[]>("getShells", {}, id)).length;
    for (const [step, [index, press]] of order.entries()) {
      const before = await shells();
      await press(page);
      // Until the relay has made a shell, the keys go where they went.
      if (makesShell.has(index)) await until(`press ${index}: a new shell`, async () => (await shells()) > before);
      const focused = await settled(lab, guest, index);
      const word = `key-${step}-${index}`;
      await page.keyboard.type(`: ${word}\n`);
      await until(`press ${index}: "${word}" in shell ${focused.id}`, async () => {
        const { output } = await lab.command<{ output: string }>("getShellOutput", { id: focused.id, plain: true }, id);
        return output.includes(word);
      });
    }
  },
);

test("what opens over the tiles gives the keys back, and the border shows who has them", async () => {
  await using lab = await startWebLab();
  const guest = await lab.guest();
  const { page, id } = guest;
  await lab.command("createShell", {}, id);
  await settled(lab, guest, -1);
  const bright = () => page.locator(".tile").evaluate((tile) => getComputedStyle(tile).borderTopColor);
  const withKeys = await bright();
  await page.locator(".chat-button").click();
  await page.getByRole("textbox", { name: "Message" }).and(page.locator(":focus")).waitFor();
  expect(await bright()).not.toBe(withKeys);
  // A caller's command takes nothing from the message; the user's own does.
  await page.keyboard.type("hel");
  await lab.command("createShell", {}, id);
  await page.locator(".tile").nth(1).waitFor();
  await page.keyboard.type("lo");
  expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("hello");
  await page.keyboard.press("Alt+Shift+A");
  await settled(lab, guest, -1);
});

test("a terminal is left by keyboard, and F6 goes through the regions of the window and back", async () => {
  await using lab = await startWebLab();
  const guest = await lab.guest();
  const { page, id } = guest;
  await lab.command("createShell", {}, id);
  await settled(lab, guest, -1);
  const region = () =>
    page.evaluate(() => document.activeElement?.closest(".header, .stage, .chat, .footer")?.className ?? "none");
  await page.keyboard.press("Alt+Shift+F6");
  expect(await region()).toBe("footer");
  await page.keyboard.press("F6");
  expect(await region()).toBe("header");
  await page.keyboard.press("Tab");
  expect(await region()).toBe("header");
  await page.keyboard.press("Shift+F6");
  expect(await region()).toBe("footer");
  await page.keyboard.press("Shift+F6");
  await settled(lab, guest, -1);
});

/** Waits until the focused tile of the client has the keys on its page; answers the tile. */
function settled(lab: WebLab, { page, id }: Guest, press: number): Promise<TileEntry> {
  return until(`press ${press}: the keys in the focused tile`, async () => {
    const tiles = await lab.command<TileEntry[]>("getTiles", { all: true }, id);
    const shown = new Set((await lab.command<{ id: number }[]>("getShells", {}, id)).map((shell) => shell.id));
    // A shell that was just made has no tile yet.
    if ([...shown].some((shell) => tiles.every((tile) => tile.id !== shell))) return undefined;
    const tile = (await lab.command<TileEntry[]>("getTiles", {}, id)).find(({ active }) => active);
    const holds = await page.evaluate(() => document.activeElement?.closest<HTMLElement>("[data-tile]")?.dataset.tile);
    return tile !== undefined && holds === String(tile.key) ? tile : undefined;
  });
}

function button(page: Page, name: string | RegExp) {
  return page.getByRole("button", { name }).first();
}

/** In an order that the seed decides. */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  return items
    .map((item) => ({ item, rank: next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
