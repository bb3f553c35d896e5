import type { BenchRow } from "../bench-row.ts";
import { bounded } from "../support/rows.ts";
import type { ViewLab } from "./lab.ts";

const MOST_KB = 400;

/** Measures what crosses the wire until the session page of a browser without a cache stands still: headers and bodies. */
export async function coldLoadRow({ openGuest }: ViewLab): Promise<BenchRow> {
  let bytes = 0;
  const page = await openGuest(async (opened) => {
    const network = await opened.context().newCDPSession(opened);
    await network.send("Network.enable");
    network.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
  });
  await page.waitForLoadState("networkidle");
  await page.context().close();
  return bounded("session page, cold, on the wire with fonts", bytes / 1000, "kB", MOST_KB);
}
