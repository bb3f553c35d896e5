import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { type Guest, shows, startWebLab, type WebLab } from "./web-lab.ts";

/** A guest with one shell that has printed a hundred lines. */
async function withLines(lab: WebLab): Promise<Guest & { shellId: number }> {
  const guest = await lab.guest();
  const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, guest.id);
  await lab.command("writeToShell", { id: shellId, data: "PS1='> '; clear; seq -f 'line %g' 1 100\n" }, guest.id);
  await shows(guest.page, "line 100");
  return { ...guest, shellId };
}

test("the search covers no line, and marks the current match apart from the others", async () => {
  await using lab = await startWebLab();
  const { page } = await withLines(lab);
  await page.locator(".xterm").click();
  await page.keyboard.press("Control+Shift+G");
  await page.keyboard.type("line 9");
  await page.getByText(/^\d+ of 11$/).waitFor();
  const bar = await page.locator(".search-bar").boundingBox();
  const screen = await page.locator(".xterm-screen").boundingBox();
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(screen?.y ?? 0);
  const outlines = () =>
    page
      .locator(".xterm-decoration")
      .evaluateAll((marks) => new Set(marks.map((mark) => getComputedStyle(mark).outlineStyle)).size);
  // Matches are marked with the frames after the one that counts them.
  await until("the marks of the current match and of others", async () => (await outlines()) === 2);
  expect(await page.locator(".xterm-decoration-overview-ruler").count()).toBe(1);
});

test("output that arrives below the part on show is announced, and a click goes there", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page, id, shellId } = await withLines(lab);
  const announced = page.getByRole("button", { name: "New output below" });
  await page.locator(".xterm").hover();
  await page.mouse.wheel(0, -1000);
  await until(
    "the first lines",
    async () => !((await page.locator(".xterm-rows").textContent()) ?? "").includes("line 100"),
  );
  expect(await announced.count()).toBe(0);
  await lab.command("writeToShell", { id: shellId, data: "echo later-$((1+1))\n" }, id);
  await announced.click();
  await shows(page, "later-2");
  await announced.waitFor({ state: "detached" });
});

test("a program that has an action repeated two billion times leaves the page as it is", async () => {
  await using lab = await startWebLab();
  const { page, id, shellId } = await withLines(lab);
  const bytes = ["b", "S", "T", "L", "M", "I", "Z"].map((final) => `a\\033[2000000000${final}`).join("");
  await lab.command("writeToShell", { id: shellId, data: `printf '${bytes}'; clear; echo usable-$((1+1))\n` }, id);
  await shows(page, "usable-2");
});

test("a terminal is read out once the user wants that, also after a reload", async () => {
  await using lab = await startWebLab();
  const { page } = await withLines(lab);
  expect(await page.locator(".xterm-accessibility").count()).toBe(0);
  await page.locator(".xterm").click();
  await page.keyboard.press("Alt+Shift+V");
  await page.getByText("Terminals are read out.").waitFor();
  await page.locator(".xterm-accessibility-tree").getByText("line 100").waitFor();
  await page.reload();
  await page.locator(".xterm-accessibility-tree").getByText("line 100").waitFor();
});

test("tiles of shells that exit with 0 close if the user wants that, and failed ones stay", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const { page, id, shellId } = await withLines(lab);
  await page.keyboard.press("Control+Shift+P");
  await page.keyboard.type("close the tiles");
  await page.keyboard.press("Enter");
  await page.getByText("Tiles of shells that exit with 0 close.").waitFor();
  const failing = await lab.command<{ shellId: number; key: number }>("createShell", {}, id);
  await lab.command("writeToShell", { id: failing.shellId, data: "exit 3\n" }, id);
  await page.getByText("Ended, exit code 3").waitFor();
  await lab.command("writeToShell", { id: shellId, data: "exit 0\n" }, id);
  await until("one tile", async () => (await page.locator(".tile").count()) === 1);
  await page.locator(`.tile[data-tile="${failing.key}"]`).waitFor();
});

test("on a tablet the key row has modifiers for the next key, and targets that a finger hits", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest({ touch: true, width: 1024, height: 700 });
  await lab.command("createShell", {}, id);
  await page.locator(".xterm").tap();
  await page.keyboard.type("cat > /dev/null\n");
  await shows(page, "cat > /dev/null");
  await page.getByRole("button", { name: "Ctrl", exact: true }).tap();
  await page.keyboard.type("c");
  await page.keyboard.type("echo after-$((1+1))\n");
  await shows(page, "after-2");
  for (const button of await page.locator(".key-row button").all()) {
    const box = await button.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(32);
  }
});

test("a dragged divider moves no other, and a dragged tile is shown at the pointer", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest({ width: 1600 });
  await lab.command("createShell", {}, id);
  await lab.command("splitShell", { direction: "horizontal" }, id);
  await lab.command("splitShell", { direction: "horizontal" }, id);
  const dividers = page.getByRole("separator");
  await dividers.nth(1).waitFor();
  const [first, second] = await Promise.all([dividers.nth(0).boundingBox(), dividers.nth(1).boundingBox()]);
  if (first === null || second === null) throw new Error("two dividers");
  await page.mouse.move(first.x + 3, first.y + 300);
  await page.mouse.down();
  await page.mouse.move(first.x - 100, first.y + 300, { steps: 5 });
  await page.mouse.move(first.x - 197, first.y + 300, { steps: 5 });
  await page.mouse.up();
  await until("the divider's new place", async () => {
    const now = await dividers.nth(0).boundingBox();
    return Math.abs((now?.x ?? 0) - (first.x - 200)) <= 3;
  });
  expect(Math.abs(((await dividers.nth(1).boundingBox())?.x ?? 0) - second.x)).toBeLessThanOrEqual(2);

  const bar = await page.locator(".title-bar").first().boundingBox();
  await page.mouse.move((bar?.x ?? 0) + 20, (bar?.y ?? 0) + 10);
  await page.mouse.down();
  await page.mouse.move(second.x + 100, 400, { steps: 4 });
  expect(await page.locator(".drag-ghost").isVisible()).toBe(true);
  expect(await page.locator(".tile[data-dragged]").count()).toBe(1);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  expect(await page.locator(".drag-ghost").count()).toBe(0);
});
