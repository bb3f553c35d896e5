import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { type Guest, startWebLab, type WebLab } from "./web-lab.ts";

interface Geometry {
  readonly key: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface SetUp {
  readonly tiles: readonly { readonly key: number }[];
}

describe("arranging by hand", () => {
  let lab: WebLab;
  let guest: Guest;
  beforeAll(async () => {
    lab = await startWebLab();
    guest = await lab.guest();
    return () => lab[Symbol.asyncDispose]();
  });

  /** A fresh grid of four, row by row. */
  async function grid(): Promise<readonly [number, number, number, number]> {
    const { tiles } = await lab.command<SetUp>("setup", { grid: "2x2", force: true }, guest.id);
    const [a = -1, b = -1, c = -1, d = -1] = tiles.map(({ key }) => key);
    for (const key of [a, b, c, d]) await guest.page.locator(`.tile[data-tile="${key}"]`).waitFor();
    return [a, b, c, d];
  }

  const geometry = async () => {
    const { tiles } = await lab.command<{ tiles: Geometry[] }>("getLayoutGeometry", {}, guest.id);
    return new Map(tiles.map((tile) => [tile.key, tile]));
  };

  test("every divider moves what lies at it, and a double click evens it", async () => {
    const [a, b, c, d] = await grid();
    const { page } = guest;
    // The middle of the stage belongs to the divider between the halves: all four tiles change.
    const dividers = page.getByRole("separator");
    expect(await dividers.count()).toBeGreaterThanOrEqual(2);
    const before = await geometry();
    for (const divider of await dividers.all()) {
      const box = await divider.boundingBox();
      if (box === null) throw new Error("a divider has a box");
      const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      await drag(page, at, { x: at.x + 130, y: at.y + 90 });
    }
    const moved = await until("the ratios", async () => {
      const now = await geometry();
      const [first, last] = [now.get(a), now.get(d)];
      return first && last && first.right > 0.55 && first.bottom > 0.55 && last.left > 0.55 && now;
    });
    expect(moved.get(b)?.left).toBeGreaterThan(0.55);
    expect(moved.get(c)?.top).toBeGreaterThan(0.55);
    for (const divider of await dividers.all()) await divider.dblclick();
    await until("even tiles", async () => {
      const now = await geometry();
      return [a, b, c, d].every((key) => JSON.stringify(now.get(key)) === JSON.stringify(before.get(key)));
    });
  });

  test("a title bar dropped on the middle of a tile swaps, on its edge splits, on its bar stacks", async () => {
    const [a, b, c, d] = await grid();
    const { page } = guest;
    const start = await geometry();
    await drag(page, await barOf(page, a), await pointIn(page, d, 0.5, 0.5));
    await until(
      "the swap",
      async () => JSON.stringify((await geometry()).get(a)) === JSON.stringify({ ...start.get(d), key: a }),
    );
    expect((await geometry()).get(d)).toEqual({ ...start.get(a), key: d });

    await drag(page, await barOf(page, b), await pointIn(page, c, 0.95, 0.5));
    await until("the split", async () => {
      const now = await geometry();
      const [left, right] = [now.get(c), now.get(b)];
      return left && right && left.right === right.left && left.top === right.top && left.bottom === right.bottom;
    });

    await drag(page, await barOf(page, b), await barOf(page, c));
    await until("the stack", async () => {
      const groups = await lab.command<unknown>("getTabGroups", {}, guest.id);
      return (
        JSON.stringify(groups).includes(`${b}`) &&
        (await page.getByRole("tablist", { name: "Tabs of this tile" }).count()) === 1
      );
    });
    expect(await page.locator(".tile:visible").count()).toBe(3);
  });
});

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
  await page.mouse.move(to.x, to.y);
  await page.mouse.up();
}

async function pointIn(page: Page, key: number, x: number, y: number): Promise<{ x: number; y: number }> {
  const box = await page.locator(`.tile[data-tile="${key}"]`).boundingBox();
  if (box === null) throw new Error(`tile ${key} is not on show`);
  return { x: box.x + box.width * x, y: box.y + box.height * y };
}

async function barOf(page: Page, key: number): Promise<{ x: number; y: number }> {
  const { x } = await pointIn(page, key, 0.5, 0);
  const { y } = await pointIn(page, key, 0, 0);
  return { x, y: y + 12 };
}
