import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { until } from "../support/until.ts";

/** Shares of the workspace. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

interface SetUp {
  readonly tiles: readonly { readonly key: number }[];
}

/** A view to arrange, and the way to ask its client what has become of it. */
export interface Arranging extends AsyncDisposable {
  readonly page: Page;
  command<T>(method: string, params?: object): Promise<T>;
}

/** Every drag of the view, wherever it runs. */
export function describeArranging(name: string, start: () => Promise<Arranging>): void {
  describe(name, () => arranging(start));
}

function arranging(start: () => Promise<Arranging>): void {
  let view: Arranging;
  beforeAll(async () => {
    view = await start();
    return () => view[Symbol.asyncDispose]();
  });

  /** A fresh grid of four, row by row. */
  async function grid(): Promise<readonly [number, number, number, number]> {
    const { tiles } = await view.command<SetUp>("setup", { grid: "2x2", force: true });
    const [a = -1, b = -1, c = -1, d = -1] = tiles.map(({ key }) => key);
    for (const key of [a, b, c, d]) await view.page.locator(`.tile[data-tile="${key}"]`).waitFor();
    return [a, b, c, d];
  }

  const placeOf = async (key: number): Promise<Place> => {
    const { tiles } = await view.command<{ tiles: (Place & { key: number })[] }>("getLayoutGeometry");
    const { x, y, w, h } = tiles.find((tile) => tile.key === key) ?? { x: -1, y: -1, w: -1, h: -1 };
    return { x, y, w, h };
  };

  test("every divider moves what lies at it, and a double click evens it", async () => {
    const [a, b, c, d] = await grid();
    const { page } = view;
    // The middle of the stage belongs to the divider between the halves: all four tiles change.
    const dividers = page.getByRole("separator");
    expect(await dividers.count()).toBeGreaterThanOrEqual(2);
    const before = await Promise.all([a, b, c, d].map(placeOf));
    for (const divider of await dividers.all()) {
      const box = await divider.boundingBox();
      if (box === null) throw new Error("a divider has a box");
      const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      await drag(page, at, { x: at.x + 130, y: at.y + 90 });
    }
    await until("the ratios", async () => {
      const [first, second, third, last] = await Promise.all([a, b, c, d].map(placeOf));
      return first && second && third && last && first.w > 0.55 && first.h > 0.55 && second.x > 0.55 && third.y > 0.55;
    });
    expect((await placeOf(d)).x).toBeGreaterThan(0.55);
    for (const divider of await dividers.all()) await divider.dblclick();
    await until("even tiles", async () => same(await Promise.all([a, b, c, d].map(placeOf)), before));
  });

  test("a title bar dropped on the middle of a tile swaps, on its edge splits, on its bar stacks", async () => {
    const [a, b, c, d] = await grid();
    const { page } = view;
    const [first, last] = await Promise.all([a, d].map(placeOf));
    await drag(page, await barOf(page, a), await pointIn(page, d, 0.5, 0.5));
    await until("the swap", async () => same(await Promise.all([a, d].map(placeOf)), [last, first]));

    await drag(page, await barOf(page, b), await pointIn(page, c, 0.95, 0.5));
    await until("the split", async () => {
      const [left, right] = await Promise.all([c, b].map(placeOf));
      return left && right && left.x + left.w === right.x && left.y === right.y && left.h === right.h;
    });

    await drag(page, await barOf(page, b), await barOf(page, c));
    await until("the stack", async () => {
      const groups = await view.command<unknown>("getTabGroups");
      return (
        JSON.stringify(groups).includes(`${b}`) &&
        (await page.getByRole("tablist", { name: "Tabs of this tile" }).count()) === 1
      );
    });
    expect(await page.locator(".tile:visible").count()).toBe(3);
  });
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

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
