import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addToFleet, createFleet } from "../../main/relay/fleet/fleet-files.ts";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

export interface Broker extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Folder with its configuration. */
  readonly folder: string;
  readonly pid: number;
  /** Credentials of a relay, made at the first call for the name. */
  credentialsOf(name: string): string;
  /** What it has logged. */
  said(): string;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops it in its tracks, as a link that is cut: `resume` lets it go on. */
  pause(): void;
  resume(): void;
}

export interface BrokerOptions {
  /** Names of the relays that may join. */
  readonly members: readonly string[];
  readonly owner?: string;
  /** A folder with more users in its configuration, for several owners at one broker. */
  readonly edit?: (folder: string) => void;
}

/** The real nats-server with the configuration that `service fleet init` writes, on a free port. */
export async function startBroker({ members, owner = "tester", edit }: BrokerOptions): Promise<Broker> {
  const program = brokerProgram();
  const folder = mkdtempSync(join(tmpdir(), "patchbay-broker-"));
  const port = await freePort();
  createFleet({ folder, owner, hosts: ["127.0.0.1"], listen: "127.0.0.1", port, members });
  edit?.(folder);
  let child: ChildProcess;
  let said = "";
  const start = async () => {
    child = spawn(program, ["-c", join(folder, "nats-server.conf")], { stdio: ["ignore", "ignore", "pipe"] });
    const before = said.length;
    child.stderr?.on("data", (piece) => (said += String(piece)));
    // Another program could answer at the port as well.
    const isUp = () => {
      if (child.exitCode !== null) throw new Error(`nats-server ended: ${said}`);
      return said.includes("Server is ready", before);
    };
    await until("the broker to answer", isUp);
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    folder,
    get pid() {
      return child.pid ?? 0;
    },
    said: () => said,
    credentialsOf(name) {
      const file = join(folder, `${name}.creds`);
      if (!existsSync(file)) addToFleet(folder, [name]);
      return file;
    },
    kill,
    start,
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    async [Symbol.asyncDispose]() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Installed by the set-up of the tests; where a single file is run without it, the error names the command. */
export function brokerProgram(): string {
  const places = ["nats-server", "/usr/sbin/nats-server", "/usr/local/sbin/nats-server"];
  const found = places.find((place) => spawnSync(place, ["--version"]).status === 0);
  if (found !== undefined) return found;
  throw new Error("The tests of the fleet need nats-server: run `sudo apt-get install nats-server`.");
}

export async function untilBrokerAnswers(port: number): Promise<void> {
  await until("the broker to answer", () => answers(port));
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: "127.0.0.1" });
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
