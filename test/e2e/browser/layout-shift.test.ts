// @module-tag slow
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Guest, shows, startWebLab } from "./web-lab.ts";

const SIZES = [
  { width: 1350, height: 940 },
  { width: 412, height: 823 },
];

test.each(SIZES)(
  "a watched shell is drawn in its place from the first, at $width px",

  async (size) => {
    await using lab = await startWebLab();
    const owner = await lab.guest({ width: 1000, height: 700 });
    const { shellId } = await lab.command<{ shellId: number }>("createShell", { command: "seq 1 50" }, owner.id);
    const guest = await lab.guest(size);
    await lab.command("openTile", { type: "peek", shell: shellId }, guest.id);
    await shows(guest.page, "50\n");
    await guest.page.locator("[data-letterboxed]").waitFor();
    expect(await shiftsOfReload(guest, "50\n")).toEqual([]);
  },
);

test.each(SIZES)("own tiles are drawn in their places from the first, at $width px", async (size) => {
  await using lab = await startWebLab();
  const guest = await lab.guest(size);
  const { shellIds } = await lab.command<{ shellIds: number[] }>("setup", { grid: "2x2" }, guest.id);
  await lab.command("writeToShell", { id: shellIds.at(0), data: "echo here-$((1+1))\n" }, guest.id);
  await lab.command("focusTile", { key: (await lab.command<{ key: number }[]>("getLayout", {}, guest.id))[0]?.key });
  await shows(guest.page, "here-2");
  expect(await shiftsOfReload(guest, "here-2")).toEqual([]);
});

/** Reloads the page. Returns what moved until its terminals showed this, as the browser measures it. */
async function shiftsOfReload({ page }: Guest, text: string): Promise<unknown[]> {
  await page.reload();
  await shows(page, text);
  return shiftsOf(page);
}

function shiftsOf(page: Page): Promise<unknown[]> {
  return page.evaluate(
    () =>
      new Promise<unknown[]>((resolve) => {
        const now = performance.now();
        const seen: PerformanceEntry[] = [];
        new PerformanceObserver((list) => {
          seen.push(...list.getEntries());
          // That of the line below is the last.
          if (seen.some(({ startTime }) => startTime > now))
            resolve(seen.filter(({ startTime }) => startTime <= now).map((entry) => entry.toJSON()));
        }).observe({ type: "layout-shift", buffered: true });
        document.body.style.paddingTop = "100px";
      }),
  );
}
