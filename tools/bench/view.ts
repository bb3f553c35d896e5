import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { coldLoadRow } from "./view/cold-load.ts";
import { floodRows, keystrokeRows } from "./view/keystrokes.ts";
import { startViewLab } from "./view/lab.ts";
import { manyTilesRows } from "./view/many-tiles.ts";
import { memoryRows } from "./view/memory.ts";
import { switchingRows } from "./view/switching.ts";
import { throughputRows } from "./view/throughput.ts";

/** The session view in a real browser: how soon it shows what is typed, how much it takes in, and what it costs. */
export async function run({ stops, minutes = 1 }: BenchContext): Promise<BenchRow[]> {
  const lab = await startViewLab(stops);
  return [
    await coldLoadRow(lab),
    ...(await keystrokeRows(lab)),
    ...(await floodRows(lab)),
    ...(await throughputRows(lab)),
    ...(await memoryRows(lab, minutes)),
    ...(await switchingRows(lab)),
    ...(await manyTilesRows(stops)),
  ];
}
