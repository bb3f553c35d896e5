import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { shows, startWebLab } from "./web-lab.ts";

interface TileEntry {
  readonly key: number;
  readonly active: boolean;
}

test("on a phone one tile is visible, a swipe shows the next, and the key row types", async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest({ width: 390, height: 800, touch: true });
  for (const name of ["one", "two", "three"]) await lab.command("createShell", { command: `echo in-${name}` }, id);
  const tiles = async () => lab.command<TileEntry[]>("getLayout", {}, id);
  const order = (await tiles()).map(({ key }) => key);
  const focus = async () => order.indexOf((await tiles()).find(({ active }) => active)?.key ?? -1);
  await until("one tile", async () => (await page.locator(".tile:visible").count()) === 1);
  const start = await focus();
  const isAt = (steps: number) =>
    until(`the tile ${steps} on`, async () => (await focus()) === (start + steps + order.length) % order.length);

  await swipe(page, { x: 320, y: 400 }, { x: 60, y: 410 });
  await isAt(1);
  expect(await page.locator(".tile:visible").count()).toBe(1);
  await swipe(page, { x: 60, y: 400 }, { x: 320, y: 390 });
  await isAt(0);
  // Too short, or along the tile: nothing moves.
  await swipe(page, { x: 200, y: 400 }, { x: 170, y: 400 });
  await swipe(page, { x: 200, y: 300 }, { x: 240, y: 500 });
  await swipe(page, { x: 60, y: 400 }, { x: 320, y: 390 });
  await isAt(-1);

  await page.locator(".tile:visible .xterm").tap();
  await page.keyboard.type("cat > /dev/null");
  await page.keyboard.press("Enter");
  await shows(page, "cat > /dev/null");
  await page.getByRole("button", { name: "^C" }).tap();
  await page.keyboard.type("echo after-$((1+1))\n");
  await shows(page, "after-2");
});

test("on a phone, buttons of the frame are large enough for a finger, and lists and settings have room", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest({ width: 390, height: 844, touch: true });
  const keys = page.getByRole("toolbar", { name: "Terminal keys" });
  expect(await keys.count()).toBe(0);
  await lab.command("createShell", {}, id);
  for (const button of [
    ...(await page.locator(".header .button:visible").all()),
    ...(await keys.getByRole("button").all()),
  ]) {
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(FINGER_PX);
  }
  // What looks smaller is hit above and below it.
  const close = await page.getByRole("button", { name: "Close tile" }).boundingBox();
  if (close === null) throw new Error("the button");
  const reach = await page.evaluate(
    ([x, y]) => [-1, 1].map((side) => document.elementFromPoint(x, y + side * 20)?.ariaLabel),
    [close.x + close.width / 2, close.y + close.height / 2] as const,
  );
  expect(reach).toEqual(["Close tile", "Close tile"]);
  await page.getByRole("button", { name: "Chat" }).tap();
  expect((await page.locator(".chat").boundingBox())?.width).toBe(390);
  await page.getByRole("button", { name: "Close the chat" }).tap();
  await page.getByRole("button", { name: /show the list/ }).tap();
  const tops = await page
    .locator(".shell-row button")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  await page.keyboard.press("Escape");

  await page.setViewportSize({ width: 844, height: 390 });
  await page.getByRole("button", { name: /^Menu of the session/ }).tap();
  await page.getByRole("button", { name: "Terminal settings…" }).tap();
  const inside = page.locator(".settings-inside");
  expect(await inside.evaluate((one) => one.clientHeight)).toBeGreaterThan(300);
  // The sample scrolls away; what ends the dialog stays.
  await page.getByLabel("Close the tiles of shells").scrollIntoViewIfNeeded();
  const done = await page.getByRole("button", { name: "Done" }).boundingBox();
  expect((done?.y ?? 390) + (done?.height ?? 0)).toBeLessThanOrEqual(390);
});

test("on a phone a message is on top, scrolls nothing, and leaves the prompt and the keys free", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest({ width: 390, height: 844, touch: true });
  await lab.command("createShell", {}, id);
  // It has a button: closed tiles can be reopened.
  await lab.command("createShell", {}, id);
  await page.getByRole("button", { name: "Close tile" }).tap();
  const toast = page.locator(".toast", { has: page.getByRole("button", { name: "Reopen" }) });
  await toast.waitFor();
  const box = await toast.boundingBox();
  expect((box?.y ?? 844) + (box?.height ?? 0)).toBeLessThan(422);
  const text = toast.locator(".toast-text");
  expect(await text.evaluate((one) => one.scrollHeight <= one.clientHeight)).toBe(true);
});

const FINGER_PX = 44;

/** One finger from here to there, in steps as a finger makes them. */
async function swipe(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const at = (share: number) => ({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share });
  await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [from] });
  for (const share of [0.1, 0.3, 0.6, 1]) {
    await cdp.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [at(share)] });
  }
  await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await cdp.detach();
}
