import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { type Guest, shows, startWebLab, textOf, type WebLab } from "./web-lab.ts";

interface ShellEntry {
  readonly cols: number;
  readonly rows: number;
}

const sizeOf = async (lab: WebLab, { id }: Guest): Promise<ShellEntry | undefined> => {
  const [shell] = await lab.command<ShellEntry[]>("getShells", {}, id);
  return shell === undefined ? undefined : { cols: shell.cols, rows: shell.rows };
};

test("another client's large shell is shown whole in a small window and keeps its size", async () => {
  await using lab = await startWebLab();
  const owner = await lab.guest({ width: 1500, height: 1100 });
  const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, owner.id);
  await owner.page.locator(".xterm-screen").waitFor();
  const ruler = "printf '%s\\n' \"$(printf 'x%.0s' $(seq 2 $COLUMNS))|\"\n";
  await lab.command("writeToShell", { id: shellId, data: `clear; ${ruler}` }, owner.id);
  await shows(owner.page, "x|");
  const size = await sizeOf(lab, owner);
  if (size === undefined) throw new Error("no shell");
  expect(size.cols).toBeGreaterThan(150);

  const guest = await lab.guest({ width: 1080, height: 720 });
  await guest.page.getByRole("button", { name: /1 shell/ }).click();
  await guest.page.getByRole("button", { name: /^Watch/ }).click();
  await shows(guest.page, `${"x".repeat(size.cols - 1)}|`);
  // At first a part of it, because all of it takes letters of less than 9 px.
  await guest.page.getByRole("button", { name: "Fit", exact: true }).click();
  const rows = guest.page.locator(".xterm-rows > div");
  expect(await rows.count()).toBe(size.rows);
  const tile = await guest.page.locator(".tile-body").boundingBox();
  const screenWidth = async () => (await guest.page.locator(".xterm-screen").boundingBox())?.width ?? 0;
  await until("the whole screen", async () => (await screenWidth()) <= (tile?.width ?? 0));
  expect(await sizeOf(lab, owner)).toEqual(size);

  // A smaller window still changes nothing for the owner, and a bigger one never draws it larger than it is.
  await guest.page.setViewportSize({ width: 1900, height: 1300 });
  await until("the full font", async () => {
    const [mine, theirs] = await Promise.all([fontOf(guest), fontOf(owner)]);
    return mine === theirs;
  });
  expect(await sizeOf(lab, owner)).toEqual(size);
  expect(await rows.count()).toBe(size.rows);
});

test("on a phone a wide shell is read in part, follows the cursor, and is moved by fingers or shown whole", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const owner = await lab.guest({ width: 1300, height: 700 });
  const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, owner.id);
  const type = (data: string) => lab.command("writeToShell", { id: shellId, data }, owner.id);
  await owner.page.locator(".xterm-screen").waitFor();
  const { page, id } = await lab.guest({ width: 390, height: 844, touch: true });
  await lab.command("createShell", { tile: true }, id);
  await lab.command("openTile", { type: "peek", shell: shellId }, id);
  const part = page.locator(".terminal-tile[data-readable] > .terminal:visible");
  await part.waitFor();
  const font = () => page.locator(".tile:visible .xterm-rows").evaluate((rows) => getComputedStyle(rows).fontSize);
  const place = () => part.evaluate(({ scrollLeft, scrollTop }) => ({ scrollLeft, scrollTop }));
  await until("a readable size", async () => (await font()) === "11px");
  // From the top left, without a frame of nothing around it.
  expect(await place()).toEqual({ scrollLeft: 0, scrollTop: 0 });
  const [tile, screen] = await Promise.all([
    part.boundingBox(),
    page.locator(".tile:visible .xterm-screen").boundingBox(),
  ]);
  expect((screen?.x ?? 99) - (tile?.x ?? 0)).toBeLessThan(20);
  expect((screen?.y ?? 99) - (tile?.y ?? 0)).toBeLessThan(20);

  await type(`clear; printf '%s' "$(printf 'x%.0s' $(seq 1 120))|"; sleep 600\n`);
  await until("the cursor in sight", async () => (await place()).scrollLeft > 100);
  const followed = await place();
  // One finger sideways moves the part, and is no swipe to the other tile.
  await fingers(page, [{ x: 100, y: 300 }], { x: 90, y: 0 });
  await until("the part to the left", async () => (await place()).scrollLeft < followed.scrollLeft - 50);
  expect(await part.count()).toBe(1);
  await fingers(
    page,
    [
      { x: 100, y: 300 },
      { x: 200, y: 300 },
    ],
    { x: 150, y: 0 },
  );
  await until("the part further to the left", async () => (await place()).scrollLeft < followed.scrollLeft - 200);

  await page.getByRole("button", { name: "Fit", exact: true }).tap();
  await until("small letters", async () => Number.parseFloat(await font()) < 9);
  const whole = await page.locator(".tile:visible .xterm-screen").boundingBox();
  expect(whole?.x).toBeLessThan(30);
  await page.getByRole("button", { name: "Readable", exact: true }).tap();
  await until("a readable size again", async () => (await font()) === "11px");
});

/** Fingers that move together, in steps as they make them. */
async function fingers(
  page: Page,
  from: readonly { x: number; y: number }[],
  by: { x: number; y: number },
): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const at = (share: number) => from.map(({ x, y }) => ({ x: x + by.x * share, y: y + by.y * share }));
  await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
  for (const share of [0.1, 0.2, 0.4, 0.7, 1])
    await cdp.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(share) });
  await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await cdp.detach();
}

test("a reader rearranges only its own screen", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const writer = await lab.guest();
  for (const name of ["left", "right"]) {
    await lab.command("createShell", { command: `echo ${name}-$((1+1))` }, writer.id);
  }
  const reader = await lab.guest({ role: "reader" });
  const { page } = reader;
  // The list stays open, so that several can be watched.
  await page.getByRole("button", { name: /2 shells/ }).click();
  for (let watched = 1; watched <= 2; watched++) {
    await page
      .getByRole("button", { name: /^Watch/ })
      .first()
      .click();
    await until("its tile", async () => (await page.locator(".tile:visible").count()) === watched);
  }
  await page.keyboard.press("Escape");
  await shows(page, "left-2");
  await shows(page, "right-2");
  const layoutOf = ({ id }: Guest) => lab.command<{ kind: string; ratio?: number }>("getLayoutTree", {}, id);
  const theirs = await layoutOf(writer);

  const divider = await page.getByRole("separator").boundingBox();
  if (divider === null) throw new Error("no divider");
  const at = { x: divider.x + divider.width / 2, y: divider.y + divider.height / 2 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 60, at.y + 60);
  await page.mouse.move(at.x + 150, at.y + 150);
  await page.mouse.up();
  await until("the reader's own ratio", async () => ((await layoutOf(reader)).ratio ?? 0) > 0.55);

  const [first, second] = await page.locator(".tile:visible").all();
  const before = await textOf(page);
  const [from, to] = await Promise.all([first?.boundingBox(), second?.boundingBox()]);
  if (!from || !to) throw new Error("there are two tiles");
  await page.mouse.move(from.x + 20, from.y + 12);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 3);
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2);
  await page.mouse.up();
  await until("the swap", async () => {
    const places = await Promise.all([first?.boundingBox(), second?.boundingBox()]);
    return places[0]?.x === to.x && places[0].y === to.y;
  });
  expect((await textOf(page)).length).toBeGreaterThan(before.length / 2);
  expect(await layoutOf(writer)).toEqual(theirs);
});

function fontOf({ page }: Guest): Promise<string> {
  return page
    .locator(".xterm-rows")
    .first()
    .evaluate((rows) => getComputedStyle(rows).fontSize);
}
