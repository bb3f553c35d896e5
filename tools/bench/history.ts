import { RemoteClient } from "../../client/remote-client.ts";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { relayRate } from "./streams.ts";
import { colouredFile } from "./support/coloured-file.ts";
import { compared } from "./support/rows.ts";
import { type ServedRelay, serveRelay } from "./support/served-relay.ts";
import { measureInTurns, medianBy } from "./support/turns.ts";

const ROUNDS = 5;

/** Measures what recording on disk costs: 84 MB to one subscriber with it and without it, in turns. */
export async function run(context: BenchContext): Promise<BenchRow[]> {
  const relay = await serveRelay(context.stops);
  colouredFile(relay.folder);
  await relayRate(relay, 1);
  const rates = await measureInTurns(ROUNDS, {
    plain: () => relayRate(relay, 1),
    recorded: async () => {
      await record(relay, true);
      return relayRate(relay, 1).finally(() => record(relay, false));
    },
  });
  return [
    compared(
      "84 MB to 1 listener, recorded",
      medianBy(rates.recorded, ({ rate }) => rate),
      "MB/s",
      { name: "not recorded", value: medianBy(rates.plain, ({ rate }) => rate) },
      { atLeast: 0.95 },
    ),
  ];
}

/** Turns the history on disk on or off. */
async function record({ url, key }: ServedRelay, on: boolean): Promise<void> {
  const relay = new RemoteClient({ url, token: key });
  await (on ? relay.operation("startHistory", { unencrypted: true }) : relay.operation("stopHistory", {}));
}
