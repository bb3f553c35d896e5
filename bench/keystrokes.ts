import { once } from "node:events";
import { WebSocket } from "ws";
import type { BenchContext } from "./bench-context.ts";
import type { BenchRow } from "./bench-row.ts";
import { startBarePty } from "./support/bare-pty.ts";
import { startBareServer } from "./support/bare-server.ts";
import { HttpLine, type HttpTarget } from "./support/http-load.ts";
import { makeShell } from "./support/make-shell.ts";
import { quantileOf } from "./support/median.ts";
import { against } from "./support/rows.ts";
import { serveRelay, until } from "./support/served-relay.ts";
import type { Stops } from "./support/stops.mjs";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { inTurn, medianBy } from "./support/turns.ts";

const ROUNDS = 5;
const KEYS = 200;
const KEY = "x";
/** A line of a terminal takes no more than 4,096 characters, so each round starts a new one. */
const NEW_LINE = "\r";

/**
 * A key typed over HTTP, and over the WebSocket of a client, until its echo arrives at a listener over a WebSocket. The
 * goal's baseline is node-pty alone in this process, without any server. The second one shows how much of the distance
 * is the way there and back at all: the same keys and the same listener at a bare Express 5 and ws wired to node-pty.
 * The echo is the terminal's own; `cat` only holds it open.
 */
export async function run({ stops }: BenchContext): Promise<BenchRow[]> {
  const own = await patchbay(stops);
  const wired = await wiredPty(stops);
  const pty = startBarePty(stops, temporaryFolder(stops), "cat > /dev/null");
  const alone: Typing = { heard: new Heard(), type: (data) => pty.input.push(Buffer.from(data)) };
  pty.onData(() => alone.heard.tell());

  const figures = await inTurn(ROUNDS, {
    alone: () => echoes(alone),
    socket: () => echoes(own.socket),
    wiredSocket: () => echoes(wired.socket),
    http: () => echoes(own.http),
    wiredHttp: () => echoes(wired.http),
  });
  const median = (name: keyof typeof figures, at: keyof Echoes) => medianBy(figures[name], (one) => one[at]);
  const rows = (name: string, way: "socket" | "http", bare: "wiredSocket" | "wiredHttp") => {
    const [p50, p99] = [median(way, "p50"), median(way, "p99")];
    const bareName = "node-pty behind bare Express 5 and ws";
    return [
      against(`${name}, p50`, p50, "µs", { name: "node-pty alone", value: median("alone", "p50") }, { within: 1.3 }),
      against(`${name}, p50`, p50, "µs", { name: bareName, value: median(bare, "p50") }),
      against(`${name}, p99`, p99, "µs", { name: bareName, value: median(bare, "p99") }),
    ];
  };
  return [
    ...rows("key over a WebSocket to its echo", "socket", "wiredSocket"),
    ...rows("key over HTTP to its echo", "http", "wiredHttp"),
  ];
}

interface Typing {
  readonly heard: Heard;
  /** Resolves when whoever was told of the key has answered. */
  readonly type: (data: string) => unknown;
}

async function patchbay(stops: Stops): Promise<{ socket: Typing; http: Typing }> {
  const relay = await serveRelay(stops);
  const { shellId, key } = await makeShell(relay);
  const client = await relay.join();
  const heard = new Heard();
  client.terminals.listen(shellId, {
    bytes(_bytes, done) {
      done();
      heard.tell();
    },
    missed() {},
  });
  await relay.command("runCommand", { tile: key, command: "cat > /dev/null" });
  const target = (data: string) => relay.request("writeToShell", { id: shellId, data });
  return {
    socket: { heard, type: (data) => client.execute("writeToShell", { id: shellId, data }) },
    http: { heard, type: await typingOver(stops, target) },
  };
}

async function wiredPty(stops: Stops): Promise<{ socket: Typing; http: Typing }> {
  const { port } = await startBareServer(stops);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/terminal`, { perMessageDeflate: false });
  await once(socket, "open");
  stops.add(() => socket.terminate());
  const heard = new Heard();
  socket.on("message", () => heard.tell());
  const target = (data: string): HttpTarget => {
    const body = JSON.stringify({ method: "writeToShell", params: { id: 1, data } });
    return { port, method: "POST", path: "/key", body };
  };
  return {
    socket: { heard, type: (data) => socket.send(data) },
    http: { heard, type: await typingOver(stops, target) },
  };
}

/** Types over a connection that is kept for each of the two keys. */
async function typingOver(stops: Stops, target: (data: string) => HttpTarget): Promise<Typing["type"]> {
  const [key, newLine] = [await HttpLine.open(target(KEY)), await HttpLine.open(target(NEW_LINE))];
  stops.add(() => {
    for (const line of [key, newLine]) line.close();
  });
  return async (data) => {
    const { status, body } = await (data === KEY ? key : newLine).send();
    if (status !== 200) throw new Error(`${status} ${body}`);
  };
}

/** Whether there was output, for whoever waits for it. */
class Heard {
  #wake = () => {};
  #count = 0;

  tell(): void {
    this.#count += 1;
    this.#wake();
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Resolves when nothing has come for a tenth of a second. */
  async quiet(): Promise<void> {
    let [count, since] = [this.#count, performance.now()];
    await until(() => {
      if (count !== this.#count) [count, since] = [this.#count, performance.now()];
      return performance.now() - since > 100;
    });
  }
}

/** Microseconds. */
interface Echoes {
  readonly p50: number;
  readonly p99: number;
}

/** From pressing a key to its echo. The next key is pressed when the answer to this one is there too. */
async function echoes({ heard, type }: Typing): Promise<Echoes> {
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
