import type { Page } from "playwright-core";
import { z } from "zod";
import type { BenchRow } from "../bench-row.ts";
import { memoryOf } from "../support/process-cost.ts";
import { bounded, compared } from "../support/rows.ts";
import type { Stops } from "../support/stops.mjs";
import { startViewLab } from "./lab.ts";

const COLUMNS = 8;
const ROWS = 5;
const TILES = COLUMNS * ROWS;
const MOST_MB = 250;
const SECONDS = 5;

const Processes = z.object({ processInfo: z.array(z.object({ type: z.string(), id: z.int() })) });
const Shells = z.array(z.object({ id: z.int() }));

/**
 * Measures a page of its own with 40 tiles: its memory, and the frames a second that it draws while one of them floods,
 * beside those while nothing is printed, which is what the screen shows.
 */
export async function manyTilesRows(stops: Stops): Promise<BenchRow[]> {
  const { page, relay } = await startViewLab(stops);
  await relay.call("createWorkspace", { name: "many" });
  await relay.call("setup", {
    grid: `${COLUMNS}x${ROWS}`,
    tiles: Array.from({ length: TILES }, () => "shell").join(","),
  });
  await page.waitForFunction(
    (count) => document.querySelectorAll(".tile:not([hidden]) .xterm").length === count,
    TILES,
  );
  const still = await framesPerSecond(page);
  const shells = Shells.parse(await relay.call("getShells", {}));
  await relay.call("writeToShell", {
    id: shells.at(-1)?.id,
    data: "yes the quick brown fox jumps over the lazy dog\n",
  });
  const flooded = await framesPerSecond(page);
  const memory = await rendererMemory(page);
  return [
    compared(
      `${TILES} tiles, frames a second while one floods`,
      flooded,
      "",
      { name: "while nothing is printed", value: still },
      { atLeast: 0.98 },
    ),
    bounded(`${TILES} tiles, one of which floods: memory of the page (PSS)`, memory, "MB", MOST_MB),
  ];
}

function framesPerSecond(page: Page): Promise<number> {
  return page.evaluate(
    (seconds) =>
      new Promise<number>((resolve) => {
        let frames = 0;
        const startedAt = performance.now();
        const count = () => {
          frames += 1;
          const took = (performance.now() - startedAt) / 1000;
          if (took < seconds) requestAnimationFrame(count);
          else resolve(frames / took);
        };
        requestAnimationFrame(count);
      }),
    SECONDS,
  );
}

/** Without garbage, as the other memory of the view. Of the browser's processes for pages, the largest one: others are spare. */
async function rendererMemory(page: Page): Promise<number> {
  const heap = await page.context().newCDPSession(page);
  await heap.send("HeapProfiler.collectGarbage");
  await heap.detach();
  const browser = page.context().browser();
  if (browser === null) throw new Error("the page has no browser of its own");
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = Processes.parse(await session.send("SystemInfo.getProcessInfo"));
  await session.detach();
  return Math.max(...processInfo.flatMap(({ type, id }) => (type === "renderer" ? [memoryOf(id)] : [])));
}
