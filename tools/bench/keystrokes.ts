import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { startBarePty } from "./support/bare-pty.ts";
import { type EchoTimes, measureEchoes } from "./support/echo-times.ts";
import { bareKeyboard, type KeyboardInput, OutputSignal, patchbayKeyboard } from "./support/keyboards.ts";
import { makeShell } from "./support/make-shell.ts";
import { compared } from "./support/rows.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { measureInTurns, medianBy } from "./support/turns.ts";

const ROUNDS = 5;
const SHELLS = 50;
/** Engines compile what runs often: the figures are those of servers that have been typed into for a while. */
const WARM_UP_ROUNDS = 15;
const BARE = "node-pty behind bare Express 5 and ws";

/**
 * Measures the time from a key, typed over HTTP or over a client's WebSocket, until its echo arrives at a subscriber
 * over a WebSocket. The goal's baseline is the same keys and subscriber at a bare Express 5 and ws wired to node-pty;
 * node-pty alone in this process, without a server, is the other one. The echo is the terminal's own; `cat` only keeps
 * it open.
 */
export async function run({ stops }: BenchContext): Promise<BenchRow[]> {
  const own = await patchbayKeyboard(stops);
  const bare = await bareKeyboard(stops);
  const pty = startBarePty(stops, temporaryFolder(stops), "cat > /dev/null");
  const alone: KeyboardInput = { output: new OutputSignal(), type: (data) => pty.input.push(Buffer.from(data)) };
  pty.onData(() => alone.output.notify());
  const sides = {
    alone: () => measureEchoes(alone),
    socket: () => measureEchoes(own.socket),
    bareSocket: () => measureEchoes(bare.socket),
    http: () => measureEchoes(own.http),
    bareHttp: () => measureEchoes(bare.http),
  };
  await measureInTurns(WARM_UP_ROUNDS, sides);
  const figures = await measureInTurns(ROUNDS, sides);
  const nodePty = { name: "node-pty alone", value: medianBy(figures.alone, ({ p50 }) => p50) };
  const p50 = (times: readonly EchoTimes[]) => medianBy(times, (one) => one.p50);
  const rows = [
    ...echoRows("key over a WebSocket to its echo", figures.socket, figures.bareSocket, 2),
    compared("key over a WebSocket to its echo, p50", p50(figures.socket), "µs", nodePty),
    ...echoRows("key over HTTP to its echo", figures.http, figures.bareHttp),
    compared("key over HTTP to its echo, p50", p50(figures.http), "µs", nodePty),
  ];

  for (let shell = 1; shell < SHELLS; shell += 1) await makeShell(own.relay);
  const { socket, bareSocket } = sides;
  const crowded = await measureInTurns(ROUNDS, { socket, bareSocket });
  rows.push(...echoRows(`the same with ${SHELLS} shells`, crowded.socket, crowded.bareSocket));

  const flooded = await measureInTurns(ROUNDS, {
    socket: () => beside(own.flood, socket),
    bareSocket: () => beside(bare.flood, bareSocket),
  });
  rows.push(...echoRows("the same while one of them floods", flooded.socket, flooded.bareSocket));
  return rows;
}

function echoRows(
  name: string,
  own: readonly EchoTimes[],
  bare: readonly EchoTimes[],
  within?: number,
): readonly BenchRow[] {
  return (["p50", "p99"] as const).map((at) => {
    const baseline = { name: BARE, value: medianBy(bare, (one) => one[at]) };
    const goal = within === undefined || at === "p99" ? undefined : { within };
    return compared(
      `${name}, ${at}`,
      medianBy(own, (one) => one[at]),
      "µs",
      baseline,
      goal,
    );
  });
}

/** Measures while a shell of the same server prints as fast as it can. */
async function beside(
  flood: () => Promise<() => Promise<void>>,
  measure: () => Promise<EchoTimes>,
): Promise<EchoTimes> {
  const end = await flood();
  try {
    return await measure();
  } finally {
    await end();
  }
}
