import { once } from "node:events";
import { WebSocket } from "ws";
import { startBareServer } from "./bare-server.ts";
import { HttpLine, type HttpTarget } from "./http-load.ts";
import { makeShell } from "./make-shell.ts";
import { type ServedRelay, type ServeOptions, serveRelay, until } from "./served-relay.ts";
import type { Stops } from "./stops.mjs";

export const KEY = "x";
/** A terminal line holds at most 4,096 characters, so each round starts a new one. */
export const NEW_LINE = "\r";

/** A terminal that echoes, and a way to type into it. */
export interface KeyboardInput {
  readonly output: OutputSignal;
  /** Resolves when the server has confirmed the key. */
  readonly type: (data: string) => unknown;
}

/** Ways to type into a terminal of a server. */
interface Keyboards {
  readonly socket: KeyboardInput;
  readonly http: KeyboardInput;
  /** Has another terminal of the server print as fast as it can, to no subscriber. Returns what ends that. */
  readonly flood: () => Promise<() => Promise<void>>;
}

/**
 * Types into a shell of the relay, over HTTP as a program does or over a client's WebSocket as a page does. Its output
 * arrives over the WebSocket.
 */
export async function patchbayKeyboard(
  stops: Stops,
  options: ServeOptions = {},
): Promise<Keyboards & { relay: ServedRelay }> {
  const relay = await serveRelay(stops, options);
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
    relay,
    socket: { output: heard, type: (data) => client.ask("writeShell", { shell: shellId, data, raw: true }) },
    http: { output: heard, type: await httpKeyboard(stops, target) },
    async flood() {
      const flooding = await makeShell(relay);
      await relay.command("runCommand", { tile: flooding.key, command: "yes" });
      await relay.command("waitFor", { id: flooding.shellId, text: "y\\r?\\ny" });
      return async () => void (await relay.command("closeShell", { id: flooding.shellId }));
    },
  };
}

/** The same with node-pty behind bare Express 5 and ws. */
export async function bareKeyboard(stops: Stops): Promise<Keyboards> {
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
    async flood() {
      const flooding = new WebSocket(`ws://127.0.0.1:${port}/flood`);
      await once(flooding, "message");
      return async () => {
        flooding.close();
        await once(flooding, "close");
      };
    },
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
export class OutputSignal {
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
