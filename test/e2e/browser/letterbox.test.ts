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
  const owner = await lab.guest({ width: 1500, height: 1000 });
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
  const rows = guest.page.locator(".xterm-rows > div");
  expect(await rows.count()).toBe(size.rows);
  const tile = await guest.page.locator(".tile-body").boundingBox();
  const screen = await guest.page.locator(".xterm-screen").boundingBox();
  expect(screen?.width).toBeLessThanOrEqual(tile?.width ?? 0);
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
