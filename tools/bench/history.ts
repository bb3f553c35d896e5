import { RemoteClient } from "../../client/remote-client.ts";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { relayRate } from "./streams.ts";
import { colouredFile } from "./support/coloured-file.ts";
import { measureEchoes } from "./support/echo-times.ts";
import { patchbayKeyboard } from "./support/keyboards.ts";
import { compared } from "./support/rows.ts";
import { type ServedRelay, serveRelay } from "./support/served-relay.ts";
import { measureInTurns, medianBy } from "./support/turns.ts";

const ROUNDS = 5;
/** Engines compile what runs often: the figures are those of a relay that has been typed into for a while. */
const WARM_UP_ROUNDS = 15;

/** Measures what recording on disk costs, with it and without it in turns: 84 MB to one subscriber, and a key's way to its echo. */
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
    ...(await echoRows(context)),
  ];
}

async function echoRows({ stops }: BenchContext): Promise<BenchRow[]> {
  const { relay, socket } = await patchbayKeyboard(stops);
  await measureInTurns(WARM_UP_ROUNDS, { plain: () => measureEchoes(socket) });
  const times = await measureInTurns(ROUNDS, {
    plain: () => measureEchoes(socket),
    recorded: async () => {
      await record(relay, true);
      return measureEchoes(socket).finally(() => record(relay, false));
    },
  });
  return (["p50", "p99"] as const).map((at) =>
    compared(
      `key over a WebSocket to its echo, recorded, ${at}`,
      medianBy(times.recorded, (one) => one[at]),
      "µs",
      { name: "not recorded", value: medianBy(times.plain, (one) => one[at]) },
      { within: 1.05 },
    ),
  );
}

/** Turns the history on disk on or off. */
async function record({ url, key }: ServedRelay, on: boolean): Promise<void> {
  const relay = new RemoteClient({ url, token: key });
  await (on ? relay.operation("startHistory", { unencrypted: true }) : relay.operation("stopHistory", {}));
}
