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
