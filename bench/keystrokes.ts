import { once } from "node:events";
import { WebSocket } from "ws";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { startBarePty } from "./support/bare-pty.ts";
import { startBareServer } from "./support/bare-server.ts";
import { HttpLine, type HttpTarget } from "./support/http-load.ts";
import { makeShell } from "./support/make-shell.ts";
import { quantileOf } from "./support/median.ts";
import { compared } from "./support/rows.ts";
import { serveRelay, until } from "./support/served-relay.ts";
import type { Stops } from "./support/stops.mjs";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { measureInTurns, medianBy } from "./support/turns.ts";

const ROUNDS = 5;
const KEYS = 200;
const KEY = "x";
/** A terminal line holds at most 4,096 characters, so each round starts a new one. */
const NEW_LINE = "\r";

/**
 * Measures the time from a key, typed over HTTP or over a client's WebSocket, until its echo arrives at a subscriber
 * over a WebSocket. The goal's baseline is node-pty alone in this process, without a server. The second baseline shows
 * the cost of the transport: the same keys and subscriber at a bare Express 5 and ws wired to node-pty. The echo is the
 * terminal's own; `cat` only keeps it open.
 */
export async function run({ stops }: BenchContext): Promise<BenchRow[]> {
  const own = await patchbay(stops);
  const wired = await wiredPty(stops);
  const pty = startBarePty(stops, temporaryFolder(stops), "cat > /dev/null");
  const alone: KeyboardInput = { output: new OutputSignal(), type: (data) => pty.input.push(Buffer.from(data)) };
  pty.onData(() => alone.output.notify());

  const figures = await measureInTurns(ROUNDS, {
    alone: () => measureEchoes(alone),
    socket: () => measureEchoes(own.socket),
    wiredSocket: () => measureEchoes(wired.socket),
    http: () => measureEchoes(own.http),
    wiredHttp: () => measureEchoes(wired.http),
  });
  const median = (name: keyof typeof figures, at: keyof EchoTimes) => medianBy(figures[name], (one) => one[at]);
  const rows = (name: string, way: "socket" | "http", bare: "wiredSocket" | "wiredHttp") => {
    const [p50, p99] = [median(way, "p50"), median(way, "p99")];
    const bareName = "node-pty behind bare Express 5 and ws";
    return [
      compared(`${name}, p50`, p50, "µs", { name: "node-pty alone", value: median("alone", "p50") }, { within: 1.3 }),
      compared(`${name}, p50`, p50, "µs", { name: bareName, value: median(bare, "p50") }),
      compared(`${name}, p99`, p99, "µs", { name: bareName, value: median(bare, "p99") }),
    ];
  };
  return [
    ...rows("key over a WebSocket to its echo", "socket", "wiredSocket"),
    ...rows("key over HTTP to its echo", "http", "wiredHttp"),
  ];
}

interface KeyboardInput {
  readonly output: OutputSignal;
  /** Resolves when the server has confirmed the key. */
  readonly type: (data: string) => unknown;
}

async function patchbay(stops: Stops): Promise<{ socket: KeyboardInput; http: KeyboardInput }> {
  const relay = await serveRelay(stops);
  const { shellId, key } = await makeShell(relay);
  const client = await relay.join();
  const heard = new OutputSignal();
  client.terminals.subscribe(shellId, {
    bytes(_bytes, done) {
      done();
      heard.notify();
    },
    missed() {},
  });
  await relay.command("runCommand", { tile: key, command: "cat > /dev/null" });
  const target = (data: string) => relay.request("writeToShell", { id: shellId, data });
  return {
    socket: { output: heard, type: (data) => client.execute("writeToShell", { id: shellId, data }) },
    http: { output: heard, type: await httpKeyboard(stops, target) },
  };
}

async function wiredPty(stops: Stops): Promise<{ socket: KeyboardInput; http: KeyboardInput }> {
  const { port } = await startBareServer(stops);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/terminal`, { perMessageDeflate: false });
  await once(socket, "open");
  stops.add(() => socket.terminate());
  const heard = new OutputSignal();
  socket.on("message", () => heard.notify());
  const target = (data: string): HttpTarget => {
    const body = JSON.stringify({ method: "writeToShell", params: { id: 1, data } });
    return { port, method: "POST", path: "/key", body };
  };
  return {
    socket: { output: heard, type: (data) => socket.send(data) },
    http: { output: heard, type: await httpKeyboard(stops, target) },
  };
}

/** Types over one persistent connection for each of the two keys. */
async function httpKeyboard(stops: Stops, target: (data: string) => HttpTarget): Promise<KeyboardInput["type"]> {
  const [key, newLine] = [await HttpLine.open(target(KEY)), await HttpLine.open(target(NEW_LINE))];
  stops.add(() => {
    for (const line of [key, newLine]) line.close();
  });
  return async (data) => {
    const { status, body } = await (data === KEY ? key : newLine).send();
    if (status !== 200) throw new Error(`${status} ${body}`);
  };
}

/** Signals that output arrived. */
class OutputSignal {
  #wake = () => {};
  #count = 0;

  notify(): void {
    this.#count += 1;
    this.#wake();
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Resolves after a tenth of a second without output. */
  async quiet(): Promise<void> {
    let [count, since] = [this.#count, performance.now()];
    await until(() => {
      if (count !== this.#count) [count, since] = [this.#count, performance.now()];
      return performance.now() - since > 100;
    });
  }
}

/** Microseconds. */
interface EchoTimes {
  readonly p50: number;
  readonly p99: number;
}

/** Measures the time from a key to its echo. Types the next key once this one is confirmed too. */
async function measureEchoes({ output: heard, type }: KeyboardInput): Promise<EchoTimes> {
  await type(NEW_LINE);
  await heard.quiet();
  const times: number[] = [];
  for (let key = 0; key < KEYS; key += 1) {
    const echoed = heard.next();
    const startedAt = performance.now();
    const typed = type(KEY);
    await echoed;
    times.push((performance.now() - startedAt) * 1000);
    await typed;
  }
  return { p50: quantileOf(times, 0.5), p99: quantileOf(times, 0.99) };
}
