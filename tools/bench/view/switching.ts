import type { BenchRow } from "../bench-row.ts";
import { medianOf, quantileOf } from "../support/median.ts";
import { bounded, plain } from "../support/rows.ts";
import type { ViewLab } from "./lab.ts";

const SHELLS = 20;
const SWITCHES = 40;
const MOST_MS = 60;

/** Measures the time from the key that switches to another workspace of 20 shells until its tiles are drawn. */
export async function switchingRows({ page, relay }: ViewLab): Promise<BenchRow[]> {
  const tiles = Array.from({ length: SHELLS }, () => "shell").join(",");
  const first = await workspaceCount(relay);
  for (const name of ["left", "right"]) {
    await relay.call("createWorkspace", { name });
    await relay.call("setup", { grid: "5x4", tiles });
  }
  const times: number[] = [];
  for (let turn = 0; turn < SWITCHES; turn++) {
    const index = first + (turn % 2);
    const drawn = page.evaluate(
      (count) =>
        new Promise<number>((resolve) => {
          let pressedAt = Number.NaN;
          const before = document.querySelector(".tile:not([hidden])");
          const look = () => {
            const visible = document.querySelector(".tile:not([hidden])");
            const isShown = visible !== before && document.querySelectorAll(".tile:not([hidden])").length === count;
            // The frame after the one in which the tiles are on show has drawn them.
            requestAnimationFrame(isShown ? () => resolve(performance.now() - pressedAt) : look);
          };
          window.addEventListener(
            "pointerdown",
            ({ timeStamp }) => {
              pressedAt = timeStamp;
              requestAnimationFrame(look);
            },
            { capture: true, once: true },
          );
        }),
      SHELLS,
    );
    await page.evaluate(() => undefined);
    await page.locator(".workspace").nth(index).click();
    times.push(await drawn);
  }
  return [
    bounded("switch between workspaces of 20 shells, median", medianOf(times), "ms", MOST_MS),
    plain("switch between workspaces of 20 shells, 95 %", quantileOf(times, 0.95), "ms"),
  ];
}

async function workspaceCount(relay: ViewLab["relay"]): Promise<number> {
  return (await relay.call("getWorkspaces")).length;
}
