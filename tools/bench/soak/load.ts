import { WebSocket } from "ws";
import { RemoteClient } from "../../../client/remote-client.ts";
import { type ClientFrame, PROTOCOL_VERSION } from "../../../core/protocol/frames.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import { decodeTerminalBytes } from "../../../core/protocol/terminal-bytes.ts";

export interface Target {
  readonly url: string;
  readonly session: string;
  readonly key: string;
}

/** How often each kind of load has run, and the failures. */
export interface Load {
  readonly rounds: Readonly<Record<string, number>>;
  readonly failures: readonly string[];
  /** Ends all load; resolves when it has ended. */
  stop(): Promise<void>;
}

const WINDOW = 256 * 1024;

/**
 * Runs all kinds of use at once: commands, chat, renamed tiles, command lines with a wait, shells that start and end, a
 * shell that prints constantly, clients that join, subscribe and leave, event subscribers.
 */
export async function startLoad(target: Target): Promise<Load> {
  const rounds: Record<string, number> = {};
  const failures: string[] = [];
  let stopped = false;
  const { url, session, key: token } = target;
  // The headless client, which is the first.
  const relay = new RemoteClient({ url, session, token, client: 1 });
  const printing = (await relay.call("createShell", { command: PRINTER })).shellId;
  const working = (await relay.call("createShell")).key;
  const { key: tile } = await relay.call("openTile", { type: "browser" });

  const loop = async (name: string, turn: (round: number) => Promise<void>, pauseMs: number) => {
    for (let round = 1; !stopped; round++) {
      try {
        await turn(round);
      } catch (error) {
        if (failures.length < 20) failures.push(`${name}: ${error instanceof Error ? error.message : error}`);
      }
      rounds[name] = round;
      await pause(pauseMs);
    }
  };
  const loops = [
    loop("commands", async () => void (await relay.call("getTiles")), 2),
    loop("renames", async (round) => void (await relay.call("renameTile", { key: tile, name: `name ${round}` })), 10),
    loop("chat", async (round) => void (await relay.call("sendChat", { message: `message ${round}` })), 20),
    loop(
      "command lines",
      async () => void (await relay.call("runCommand", { tile: working, command: "seq 1 200", wait: true })),
      20,
    ),
    loop("shells", () => oneShell(relay), 50),
    loop("clients", () => oneClient(target, printing), 200),
    loop("subscribers", () => oneSubscriber(target), 200),
  ];
  return {
    rounds,
    failures,
    async stop() {
      stopped = true;
      await Promise.all(loops);
    },
  };
}

const PRINTER = "while :; do seq 1 500; sleep 0.05; done";

async function oneShell(relay: RemoteClient): Promise<void> {
  const { shellId } = await relay.call("createShell", { tile: false, command: "seq 1 1000; exit" });
  await relay.call("waitFor", { id: shellId, exit: true, timeout: 30 });
  await relay.call("closeShell", { id: shellId });
}

/** Joins, reads half a megabyte of output, and leaves. */
function oneClient({ url, session, key }: Target, shell: ShellId): Promise<void> {
  const address = `${url.replace("http", "ws")}/v1/sessions/${session}/socket`;
  const socket = new WebSocket(address, { headers: { "X-Service-Token": key } });
  const say = (frame: ClientFrame) => socket.send(JSON.stringify(frame));
  let left = 2 * WINDOW;
  socket.on("open", () => say({ type: "hello", protocol: PROTOCOL_VERSION, device: "soak", clientKind: "browser" }));
  socket.on("message", (data: Buffer, isBinary) => {
    if (isBinary) {
      const { bytes } = decodeTerminalBytes(data);
      left -= bytes.length;
      say({ type: "acknowledge", shell, bytes: bytes.length });
      if (left <= 0) socket.close();
    } else if (String(data).startsWith('{"type":"welcome"')) say({ type: "listen", shell, window: WINDOW });
  });
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("close", () => (left <= 0 ? resolve() : reject(new Error("a client was cut off"))));
  });
}

/** Subscribes to events for a moment. */
async function oneSubscriber({ url, session, key }: Target): Promise<void> {
  const hangUp = new AbortController();
  const response = await fetch(`${url}/v1/sessions/${session}/events`, {
    headers: { "X-Service-Token": key },
    signal: hangUp.signal,
  });
  const reader = response.body?.getReader();
  for (let pieces = 0; pieces < 20; pieces++) await reader?.read();
  hangUp.abort();
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
