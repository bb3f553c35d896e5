import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { WebSocket } from "ws";
import { Client } from "../../../core/client/client.ts";
import { socketLink } from "../../../core/client/socket-link.ts";
import { RelayFile } from "../../../core/protocol/relay-file.ts";
import { readHostFile } from "../../../main/shells/host/host-file.ts";
import { endShellHost } from "../../../test/support/end-shell-host.ts";
import type { HttpTarget } from "./http-load.ts";
import { startProgram } from "./start-program.ts";
import type { Stops } from "./stops.mjs";
import { temporaryFolder } from "./temporary-folder.ts";

const PROGRAM = join(import.meta.dirname, "..", "..", "bin", "patchbay");

/** The built `patchbay serve` as a process of its own, in a home of its own. */
export interface ServedRelay {
  readonly pid: number;
  /** Of the process that holds the shells. */
  readonly shellsPid: number;
  readonly url: string;
  readonly session: string;
  readonly key: string;
  readonly folder: string;
  /** The result of a command, executed by the headless client; rejects with the relay's sentence. */
  command(method: string, params?: object): Promise<unknown>;
  /** The request that `command` makes, for whoever makes it many times. */
  request(method: string, params?: object): HttpTarget;
  /** A client over a WebSocket, as a browser page is one. */
  join(): Promise<Client>;
  /** A WebSocket to the session on which nothing has been said. */
  socket(): Promise<WebSocket>;
  /** Ends it with its clients and shells; at the latest with the benchmark. */
  stop(): Promise<void>;
}

export interface ServeOptions {
  /** Whether it has a headless client (default: yes). */
  readonly client?: boolean;
  /** Further arguments of `patchbay serve`. */
  readonly args?: readonly string[];
  /** Added to its environment. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts it and makes a key. */
export async function serveRelay(
  stops: Stops,
  { client = true, args = [], env: added = {} }: ServeOptions = {},
): Promise<ServedRelay> {
  const folder = temporaryFolder(stops);
  const data = join(folder, "data");
  const env = ownEnvironment(folder);
  stops.add(() => endShellHost(data));
  const program = startProgram(
    stops,
    PROGRAM,
    ["serve", "--port", "0", "--data", data, ...(client ? ["--client"] : []), ...args],
    {
      env: { ...env, ...added },
      stdio: "ignore",
    },
  );
  const file = join(data, "relay.json");
  await until(() => existsSync(file));
  const { url, session = "", pid } = RelayFile.parse(JSON.parse(readFileSync(file, "utf8")));
  const made = await promisify(execFile)(PROGRAM, ["keys", "create", "--name", "bench", "--data", data], { env });
  const key = made.stdout.trim();
  const path = `/v1/sessions/${session}/remote/command`;
  const bodyOf = (method: string, params: object) =>
    JSON.stringify({ method, params, ...(client ? { target_client_id: 1 } : {}) });
  const clients: Client[] = [];

  async function socket(): Promise<WebSocket> {
    const address = `${url.replace("http", "ws")}/v1/sessions/${session}/socket`;
    const opened = new WebSocket(address, { headers: { "X-Service-Token": key }, perMessageDeflate: false });
    opened.binaryType = "arraybuffer";
    await once(opened, "open");
    return opened;
  }

  return {
    pid,
    url,
    session,
    key,
    folder,
    socket,
    get shellsPid() {
      const host = readHostFile(join(data, "shell-host.json"));
      if (host === undefined) throw new Error("no process holds the shells");
      return host.pid;
    },
    async command(method, params = {}) {
      const answer = await fetch(`${url}${path}`, {
        method: "POST",
        headers: { "X-Service-Token": key, "Content-Type": "application/json" },
        body: bodyOf(method, params),
      });
      if (!answer.ok) throw new Error(`${method}: ${await answer.text()}`);
      return ((await answer.json()) as { result: unknown }).result;
    },
    request(method, params = {}) {
      const port = Number(new URL(url).port);
      return { port, method: "POST", path, headers: { "X-Service-Token": key }, body: bodyOf(method, params) };
    },
    async join() {
      const joined = new Client({
        kind: "browser",
        device: "bench",
        toast: () => "log",
        notify: () => "log",
        viewport: () => ({ cols: 160, rows: 48 }),
      });
      await joined.connect(socketLink((await socket()) as never));
      clients.push(joined);
      return joined;
    },
    async stop() {
      for (const one of clients) one.disconnect("the benchmark is over");
      await program.stop();
    },
  };
}

/** What a program started by a benchmark sees of this machine: nothing of the user's own. */
export function ownEnvironment(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, SHELL: "/bin/bash", LANG: "C.UTF-8", XDG_RUNTIME_DIR: home };
}

/** Checks every few milliseconds; rejects after 30 s. */
export async function until(holds: () => boolean | Promise<boolean>, withinMs = 30_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline)
      throw new Error(`what the benchmark waits for did not come within ${withinMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
