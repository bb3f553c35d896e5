import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { startWebLab, textOf } from "./web-lab.ts";

interface ShellEntry {
  readonly id: number;
  readonly cols: number;
  readonly rows: number;
}

/** Terminals that draw with WebGL. */
const canvases = (page: Page) => page.locator(".xterm-screen canvas:not(.xterm-link-layer)");

test.each([1, 2])(
  "equal tiles have equal columns with WebGL and without, and no scroll bars of the browser, at %i device pixels",
  { tags: "slow" },
  async (scale) => {
    await using lab = await startWebLab();
    const { page, id } = await lab.guest({ webgl: true, scale, width: 1600, height: 900 });
    await lab.command("setup", { grid: "4x3" }, id);
    await page.locator(".xterm-screen").nth(11).waitFor();
    await until("a WebGL context for ten of twelve", async () => (await canvases(page).count()) === 10);
    expect(await page.locator(".xterm-rows").count()).toBe(2);
    const [first, ...others] = await until("every tile's own size", async () => {
      const shells = await lab.command<ShellEntry[]>("getShells", {}, id);
      const screens = await Promise.all((await page.locator(".xterm-screen").all()).map((one) => one.boundingBox()));
      const cells = screens.map((box, index) => (box?.width ?? 0) / (shells[index]?.cols ?? 1));
      // A cell of the 13 px font is 7.8 px wide: 8, in whole pixels, or 15.6 and 16.
      return cells.every((width) => Math.abs(width - 8) < 0.01) ? shells : undefined;
    });
    for (const other of others) expect(Math.abs(other.cols - (first?.cols ?? 0))).toBeLessThanOrEqual(1);
    expect(await scrollBars(page)).toEqual([]);
  },
);

test("without a graphics card terminals draw with the DOM", async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest({ webgl: true, card: false });
  // Such a tile has asked for a context before the next one is there.
  for (let made = 1; made <= 2; made++) await lab.command("createShell", { command: "echo drawn-$((1+1))" }, id);
  await until("both shells", async () => (await page.getByText("drawn-2").count()) >= 2);
  expect(await canvases(page).count()).toBe(0);
});

test("a terminal whose WebGL context is taken away is drawn with the DOM at once, and with WebGL when it is back", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest({ webgl: true });
  await lab.command("createShell", { command: "echo drawn-$((1+1))" }, id);
  await until("WebGL", async () => (await canvases(page).count()) === 1);
  const taken = await canvases(page).evaluateHandle((canvas) =>
    canvas instanceof HTMLCanvasElement ? canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context") : undefined,
  );
  await taken.evaluate((extension) => extension?.loseContext());
  await until("the DOM", async () => (await textOf(page)).includes("drawn-2"), 2000);
  expect(await canvases(page).count()).toBe(0);
  await taken.evaluate((extension) => extension?.restoreContext());
  await until("WebGL again", async () => (await canvases(page).count()) === 1);
});

test("a watched shell of another size has no scroll bars either", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const owner = await lab.guest({ width: 1500, height: 1000 });
  const { shellId } = await lab.command<ShellEntry & { shellId: number }>("createShell", {}, owner.id);
  await owner.page.locator(".xterm-screen").waitFor();
  const guest = await lab.guest({ width: 1200, height: 800, webgl: true });
  await lab.command("openTile", { type: "peek", shell: shellId }, guest.id);
  await guest.page.locator(".terminal-tile[data-letterboxed] .xterm-screen").waitFor();
  expect(await scrollBars(guest.page)).toEqual([]);
});

test("a shell of 80 columns is whole on a phone", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const owner = await lab.guest({ width: 700, height: 500 });
  const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, owner.id);
  await owner.page.locator(".xterm-screen").waitFor();
  await until("the shell's own size", async () => {
    const [shell] = await lab.command<ShellEntry[]>("getShells", {}, owner.id);
    return shell !== undefined && shell.cols >= 80 && shell.cols <= 84;
  });
  const { page, id } = await lab.guest({ width: 390, height: 760 });
  await lab.command("openTile", { type: "peek", shell: shellId }, id);
  const box = (selector: string) => page.locator(selector).first().boundingBox();
  await page.locator("[data-letterboxed] .xterm-screen").waitFor();
  // At first a part of it, in letters that can be read.
  await page.getByRole("button", { name: "Fit", exact: true }).click();
  await until("the whole screen in the tile", async () => {
    const [screen, tile] = await Promise.all([box(".xterm-screen"), box(".tile-body")]);
    return screen !== null && tile !== null && screen.width > 0 && screen.x + screen.width < tile.x + tile.width;
  });
});

test("forced colours reach terminals, and mark what is focused and selected", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  await lab.command("createShell", {}, id);
  await page.locator(".xterm-screen").waitFor();
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
  const [canvas, text] = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement("p"));
    probe.style.cssText = "color: CanvasText; background: Canvas; forced-color-adjust: none";
    const { backgroundColor, color } = getComputedStyle(probe);
    probe.remove();
    return [backgroundColor, color];
  });
  await until("the system's colours in the terminal", () =>
    page.evaluate(
      ([background, foreground]) => {
        const shown = (selector: string) => {
          const element = document.querySelector(selector);
          return element === null ? undefined : getComputedStyle(element);
        };
        return (
          shown(".xterm-scrollable-element")?.backgroundColor === background &&
          shown(".xterm-rows")?.color === foreground
        );
      },
      [canvas, text],
    ),
  );
  for (const selector of [".tile[data-focused]", ".workspace[aria-selected=true]"]) {
    expect(await page.locator(selector).evaluate((element) => getComputedStyle(element).outlineStyle)).toBe("solid");
  }
  expect(
    await page.locator(".connection .dot").evaluate((element) => getComputedStyle(element).backgroundColor),
  ).not.toBe(canvas);
});

test("with more contrast or forced colours, a tile without a terminal and the shown workspace are marked too", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  await lab.command("openTile", { type: "browser" }, id);
  await page.locator(".tile:focus-within").waitFor();
  await page.emulateMedia({ forcedColors: "active" });
  const styleOf = (selector: string) =>
    page.locator(selector).evaluate((element) => ({ ...getComputedStyle(element) }));
  expect(await styleOf(".tile[data-focused]")).toMatchObject({ outlineStyle: "solid" });
  await page.emulateMedia({ forcedColors: "none", contrast: "more" });
  expect((await styleOf(".workspace[aria-selected=true]")).boxShadow).not.toBe("none");
});

test("text of an input method has the theme's colours", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest({ dark: false });
  await lab.command("createShell", {}, id);
  await page.locator(".xterm").click();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
  const composed = page.locator(".composition-view.active");
  await composed.waitFor();
  const { backgroundColor } = await composed.evaluate((element) => ({ ...getComputedStyle(element) }));
  expect(backgroundColor).toBe("rgb(255, 255, 255)");
});

/** Elements of the page's tiles that show a scroll bar of the browser's. */
function scrollBars(page: Page): Promise<string[]> {
  return page.locator(".stage, .stage *").evaluateAll((elements) =>
    elements
      .filter((element) => element instanceof HTMLElement && !["TEXTAREA", "INPUT"].includes(element.tagName))
      .filter((element) => {
        const { borderLeftWidth, borderRightWidth, borderTopWidth, borderBottomWidth } = getComputedStyle(element);
        const { offsetWidth, offsetHeight, clientWidth, clientHeight } = element as HTMLElement;
        if (clientWidth === 0) return false;
        const bars = [
          offsetWidth - clientWidth - Number.parseFloat(borderLeftWidth) - Number.parseFloat(borderRightWidth),
          offsetHeight - clientHeight - Number.parseFloat(borderTopWidth) - Number.parseFloat(borderBottomWidth),
        ];
        return bars.some((size) => size >= 1);
      })
      .map((element) => element.className),
  );
}
