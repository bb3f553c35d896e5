import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { freePort } from "../../../test/support/free-port.ts";
import type { BenchContext } from "../bench-context.ts";
import { PeerMissing, VIBETUNNEL_VERSION, vibeTunnelPackage } from "./peers.ts";
import { ownEnvironment } from "./served-relay.ts";
import { startProgram } from "./start-program.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const READY_WITHIN_MS = 20_000;
const STREAM_SETTLES_MS = 500;

export interface VibeTunnel {
  readonly name: string;
  readonly port: number;
  /** Where its sessions run. */
  readonly folder: string;
  /** Starts a program in a new session; answers the session's id. */
  open(command: readonly string[]): Promise<string>;
  close(session: string): Promise<void>;
}

/** VibeTunnel's server as a process of its own, in a home of its own, open to this machine without a password. */
export async function startVibeTunnel(context: BenchContext): Promise<VibeTunnel | PeerMissing> {
  const own = await vibeTunnelPackage(context);
  if (own instanceof PeerMissing) return own;
  const folder = temporaryFolder(context.stops);
  const port = await freePort();
  const words = ["--no-auth", "--no-mdns", "--push-disabled", "--bind", "127.0.0.1", "--port", String(port)];
  // Its `bin` starts nothing under this name: it looks for its program as the main module.
  const program = startProgram(context.stops, process.execPath, [join(own, "dist", "vibetunnel-cli"), ...words], {
    cwd: folder,
    env: ownEnvironment(folder),
    stdio: "ignore",
  });
  const api = `http://127.0.0.1:${port}/api`;
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await answers(`${api}/health`))) {
    if (program.child.exitCode !== null) return new PeerMissing(`it ended with ${program.child.exitCode} at its start`);
    if (performance.now() > deadline) return new PeerMissing("it did not answer within 20 s");
    await delay(50);
  }
  return {
    name: `VibeTunnel ${VIBETUNNEL_VERSION}`,
    port,
    folder,
    async open(command) {
      const made = await post(`${api}/sessions`, { command, workingDir: folder, cols: 80, rows: 24 });
      return z.object({ sessionId: z.string() }).parse(made).sessionId;
    },
    async close(session) {
      await fetch(`${api}/sessions/${session}`, { method: "DELETE" });
    },
  };
}

/**
 * Milliseconds from the key that lets a session print a file until the last of so many listeners to its stream of
 * server-sent events has the end of it. The events are not even parsed, which is to its advantage.
 */
export async function measureVibeTunnelOutput(
  { port, open, close }: VibeTunnel,
  file: string,
  listeners: number,
): Promise<number> {
  const session = await open(["/bin/sh", "-c", `read go; cat ${file}; echo THE-''END; read go`]);
  const address = `http://127.0.0.1:${port}/api/sessions/${session}`;
  await delay(STREAM_SETTLES_MS);
  const ends = await Promise.all(Array.from({ length: listeners }, () => listen(`${address}/stream`)));
  await delay(STREAM_SETTLES_MS);
  const startedAt = performance.now();
  await post(`${address}/input`, { text: "\r" });
  await Promise.all(ends.map((ended) => ended()));
  const took = performance.now() - startedAt;
  await close(session);
  return took;
}

/** Subscribes and returns a function that resolves at the end of the output. */
async function listen(stream: string): Promise<() => Promise<void>> {
  const hangUp = new AbortController();
  const { body } = await fetch(stream, { headers: { Accept: "text/event-stream" }, signal: hangUp.signal });
  if (body === null) throw new Error("a stream without a body");
  const ended = (async () => {
    let tail = Buffer.alloc(0);
    for await (const piece of body) {
      tail = Buffer.concat([tail.subarray(-16), piece]);
      if (tail.includes("THE-END")) break;
    }
    hangUp.abort();
  })();
  return () => ended;
}

async function post(url: string, body: object): Promise<unknown> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (answer) => answer.ok,
    () => false,
  );
}
