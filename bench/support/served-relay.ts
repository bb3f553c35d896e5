import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { WebSocket } from "ws";
import { Client } from "../../core/client/client.ts";
import { socketLink } from "../../core/client/socket-link.ts";
import { RelayFile } from "../../core/protocol/relay-file.ts";

const PROGRAM = join(import.meta.dirname, "..", "bin", "patchbay");

/** The built `patchbay serve` as a process of its own, in a home of its own. */
export interface ServedRelay {
  readonly pid: number;
  readonly url: string;
  readonly session: string;
  readonly key: string;
  readonly folder: string;
  /** The result of a command, executed by the headless client; rejects with the relay's sentence. */
  command(method: string, params?: object): Promise<unknown>;
  /** A client over a WebSocket, as a browser page is one. */
  join(): Promise<Client>;
  /** Ends it with its clients, and removes its home. */
  stop(): Promise<void>;
}

/** Starts it, with a headless client in it unless told otherwise, and makes a key. */
export async function serveRelay({ client = true }: { client?: boolean } = {}): Promise<ServedRelay> {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-bench-"));
  const data = join(folder, "data");
  const env = ownEnvironment(folder);
  const child = spawn(PROGRAM, ["serve", "--port", "0", "--data", data, ...(client ? ["--client"] : [])], {
    env,
    stdio: "ignore",
  });
  const file = join(data, "relay.json");
  await until(() => existsSync(file));
  const { url, session = "", pid } = RelayFile.parse(JSON.parse(readFileSync(file, "utf8")));
  const made = await promisify(execFile)(PROGRAM, ["keys", "create", "--name", "bench", "--data", data], { env });
  const key = made.stdout.trim();
  const clients: Client[] = [];
  return {
    pid,
    url,
    session,
    key,
    folder,
    async command(method, params = {}) {
      const answer = await fetch(`${url}/v1/sessions/${session}/remote/command`, {
        method: "POST",
        headers: { "X-Service-Token": key, "Content-Type": "application/json" },
        body: JSON.stringify({ method, params, ...(client ? { target_client_id: 1 } : {}) }),
      });
      if (!answer.ok) throw new Error(`${method}: ${await answer.text()}`);
      return ((await answer.json()) as { result: unknown }).result;
    },
    async join() {
      const address = `${url.replace("http", "ws")}/v1/sessions/${session}/socket`;
      const socket = new WebSocket(address, { headers: { "X-Service-Token": key }, perMessageDeflate: false });
      socket.binaryType = "arraybuffer";
      const link = socketLink(socket as never);
      await once(socket, "open");
      const joined = new Client({
        kind: "browser",
        device: "bench",
        toast() {},
        notify() {},
        viewport: () => ({ cols: 160, rows: 48 }),
      });
      await joined.connect(link);
      clients.push(joined);
      return joined;
    },
    async stop() {
      for (const one of clients) one.disconnect("the benchmark is over");
      await end(child);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** What a program started by a benchmark sees of this machine: nothing of the user's own. */
export function ownEnvironment(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, SHELL: "/bin/bash", LANG: "C.UTF-8", XDG_RUNTIME_DIR: home };
}

/** Checks every few milliseconds; rejects after 30 s. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error("what the benchmark waits for did not come within 30 s");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}
