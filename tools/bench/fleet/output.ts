import { get } from "node:http";
import type { BenchRow } from "../bench-row.ts";
import { compared } from "../support/rows.ts";
import type { ServedRelay } from "../support/served-relay.ts";
import { measureInTurns, medianBy } from "../support/turns.ts";
import type { RealRelays } from "./real-relays.ts";

const OUTPUT_BYTES = 84_000_000;
const ROUNDS = 2;

/** Prints in a shell, and reads that at the relay of the session and at another one. */
export async function outputRow({ laptop, box }: RealRelays): Promise<BenchRow> {
  const read = (relay: ServedRelay) => async () => {
    const { shellId } = (await box.command("createShell", { tile: false })) as { shellId: number };
    const startedAt = performance.now();
    const data = `yes 0123456789abcdef0123456789abcdef | head -c ${OUTPUT_BYTES}; exit\n`;
    const bytes = await readOutput(relay, box, shellId, () => box.command("writeToShell", { id: shellId, data }));
    return { rate: bytes / 1e6 / ((performance.now() - startedAt) / 1000) };
  };
  const figures = await measureInTurns(ROUNDS, { direct: read(box), foreign: read(laptop) });
  const direct = { name: "direct", value: medianBy(figures.direct, ({ rate }) => rate) };
  return compared(
    "84 MB of output at another relay",
    medianBy(figures.foreign, ({ rate }) => rate),
    "MB/s",
    direct,
    { atLeast: 0.5 },
  );
}

function readOutput(
  relay: ServedRelay,
  box: ServedRelay,
  shell: number,
  begin: () => Promise<unknown>,
): Promise<number> {
  const url = `${relay.url}/v1/sessions/${box.session}/shells/${shell}/output?since=0`;
  return new Promise((resolve, reject) => {
    get(url, { headers: { "X-Service-Token": box.key } }, (response) => {
      let bytes = 0;
      response.on("data", (piece: Buffer) => (bytes += piece.length));
      response.once("end", () => resolve(bytes));
      response.once("error", reject);
      begin().catch(reject);
    }).once("error", reject);
  });
}
