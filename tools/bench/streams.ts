import type { Client } from "../../core/client/client.ts";
import type { ShellId } from "../../core/protocol/ids.ts";
import type { BenchContext } from "./bench-context.ts";
import type { Baseline, BenchRow } from "./bench-row.ts";
import { startBarePty } from "./support/bare-pty.ts";
import { COLOURED_BYTES, colouredFile } from "./support/coloured-file.ts";
import { makeShell } from "./support/make-shell.ts";
import { medianOf } from "./support/median.ts";
import { PeerMissing } from "./support/peers.ts";
import { compared, missing, plain, type RatioGoal } from "./support/rows.ts";
import { type ServedRelay, serveRelay, until } from "./support/served-relay.ts";
import type { Stops } from "./support/stops.mjs";
import { measureInTurns, medianBy } from "./support/turns.ts";
import { measureVibeTunnelOutput, startVibeTunnel } from "./support/vibetunnel.ts";

const ROUNDS = 3;
const ROUND_WITHIN_MS = 120_000;
/** A tenth of the text: VibeTunnel needs half a minute for the whole, and is slightly faster with less. */
const PEER_BYTES = COLOURED_BYTES / 10;

/**
 * Measures 84 MB of coloured text from a program in a shell to subscribers over WebSockets, each a whole client. The
 * baselines are node-pty alone, which discards what it reads, and VibeTunnel's event streams. All subscribers are in
 * this process, the relay in its own. Only received bytes count: output that a slow subscriber misses lowers the figure.
 */
export async function run(context: BenchContext): Promise<BenchRow[]> {
  const relay = await serveRelay(context.stops);
  colouredFile(relay.folder);
  const peer = await startVibeTunnel(context);
  if (!(peer instanceof PeerMissing)) colouredFile(peer.folder, PEER_BYTES);
  const peerRate = async (listeners: number) =>
    peer instanceof PeerMissing ? 0 : PEER_BYTES / 1000 / (await measureVibeTunnelOutput(peer, "coloured", listeners));
  await rawRate(context.stops, relay.folder);
  await relayRate(relay, 1);
  const rates = await measureInTurns(ROUNDS, {
    raw: () => rawRate(context.stops, relay.folder),
    one: () => relayRate(relay, 1),
    eight: () => relayRate(relay, 8),
    peerOne: () => peerRate(1),
    peerEight: () => peerRate(8),
  });
  const raw: Baseline = { name: "node-pty alone", value: medianOf(rates.raw) };
  const rows = (name: string, own: readonly Arrival[], others: readonly number[], goal: RatioGoal): BenchRow[] => [
    compared(
      name,
      medianBy(own, ({ rate }) => rate),
      "MB/s",
      raw,
      goal,
    ),
    peer instanceof PeerMissing
      ? missing(`${name}: beside VibeTunnel`, peer.why)
      : compared(
          name,
          medianBy(own, ({ rate }) => rate),
          "MB/s",
          { name: peer.name, value: medianOf(others) },
          { atLeast: 8 },
        ),
    plain(`${name}: of it arrived, the least of them`, 100 * Math.min(...own.map(({ share }) => share)), "%"),
  ];
  return [
    ...rows("84 MB to 1 listener", rates.one, rates.peerOne, { atLeast: 0.75 }),
    ...rows("84 MB to 8 listeners, each", rates.eight, rates.peerEight, { atLeast: 0.4 }),
  ];
}

async function rawRate(stops: Stops, folder: string): Promise<number> {
  const startedAt = performance.now();
  let bytes = 0;
  await new Promise<void>((resolve) => {
    const pty = startBarePty(stops, folder, "cat coloured");
    pty.onData((data) => {
      bytes += data.length;
    });
    pty.onExit(() => resolve());
  });
  return bytes / 1000 / (performance.now() - startedAt);
}

export interface Arrival {
  /** Megabytes a second of the slowest subscriber, until the last one finished. */
  readonly rate: number;
  /** Share of the output that it received; it was told that it missed the rest. */
  readonly share: number;
}

/** Measures the rate at which subscribers receive 84 MB of a program in a new shell. */
export async function relayRate(relay: ServedRelay, listeners: number): Promise<Arrival> {
  const { shellId, key } = await makeShell(relay);
  const clients = await Promise.all(Array.from({ length: listeners }, () => relay.join()));
  const counts = clients.map((client) => counted(client, shellId));
  await relay.command("runCommand", { tile: key, command: "true", wait: true });
  const before = counts.map((count) => ({ ...count }));
  const gained = (of: (count: Count) => number) =>
    Math.min(...counts.map((count, index) => of(count) - of(before[index] ?? count)));
  const startedAt = performance.now();
  await relay.command("runCommand", { tile: key, command: "cat ~/coloured" });
  await until(() => gained(({ bytes, missed }) => bytes + missed) >= COLOURED_BYTES, ROUND_WITHIN_MS);
  const took = performance.now() - startedAt;
  for (const client of clients) client.disconnect("the round is over");
  await relay.command("closeShell", { id: shellId });
  const arrived = Math.min(
    gained(({ bytes }) => bytes),
    COLOURED_BYTES,
  );
  return { rate: arrived / 1000 / took, share: arrived / COLOURED_BYTES };
}

interface Count {
  bytes: number;
  missed: number;
}

function counted(client: Client, shell: ShellId): Count {
  const count = { bytes: 0, missed: 0 };
  client.terminals.subscribe(shell, {
    bytes(bytes, done) {
      count.bytes += bytes.length;
      done();
    },
    missed(bytes) {
      count.missed += bytes;
    },
  });
  return count;
}
