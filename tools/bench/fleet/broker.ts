import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { addToFleet, createFleet } from "../../../main/relay/fleet/fleet-files.ts";
import { freePort } from "../../../test/support/free-port.ts";
import { until } from "../support/served-relay.ts";
import { type Program, startProgram } from "../support/start-program.ts";
import type { Stops } from "../support/stops.mjs";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** An owner with the names of its relays. */
export interface FleetOwner {
  readonly owner: string;
  readonly members: readonly string[];
}

const Counts = z.object({ connections: z.number(), subscriptions: z.number() });

/** The real nats-server with TLS and an account for each owner, as `service fleet init` configures it for one. */
export class Broker {
  readonly url: string;
  readonly #folder: string;
  readonly #monitor: number;
  readonly #stops: Stops;
  #program: Program;

  private constructor(stops: Stops, folder: string, { port, monitor }: { port: number; monitor: number }) {
    this.url = `nats://127.0.0.1:${port}`;
    this.#folder = folder;
    this.#monitor = monitor;
    this.#stops = stops;
    this.#program = this.#spawn();
  }

  static async start(stops: Stops, owners: readonly FleetOwner[]): Promise<Broker> {
    const folder = temporaryFolder(stops);
    const port = await freePort();
    writeFleets(folder, port, owners);
    const broker = new Broker(stops, folder, { port, monitor: await freePort() });
    await until(() => broker.#answers());
    return broker;
  }

  get pid(): number {
    return this.#program.child.pid ?? 0;
  }

  credentialsOf(owner: string, member: string): string {
    return join(this.#folder, owner, `${member}.creds`);
  }

  /** What is connected, as the broker counts it. */
  async counts(): Promise<z.infer<typeof Counts>> {
    return Counts.parse(await (await fetch(`http://127.0.0.1:${this.#monitor}/varz`)).json());
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    this.#program.child.kill("SIGKILL");
    await once(this.#program.child, "exit");
  }

  /** Starts it again after `kill`, with what it has on its disk. */
  restart(): void {
    this.#program = this.#spawn();
  }

  async stop(): Promise<void> {
    await this.#program.stop();
  }

  async #answers(): Promise<boolean> {
    return await this.counts().then(
      () => true,
      () => false,
    );
  }

  #spawn(): Program {
    const env = { PATH: `${process.env.PATH}:/usr/sbin` };
    const args = ["-c", join(this.#folder, "nats-server.conf"), "-m", String(this.#monitor)];
    return startProgram(this.#stops, "nats-server", args, { env, stdio: "ignore" });
  }
}

/** Writes each owner's files with one certificate, and one configuration with all their accounts. */
function writeFleets(folder: string, port: number, owners: readonly FleetOwner[]): void {
  const [first, ...others] = owners.map(({ owner, members }) => ({ owner, members, folder: join(folder, owner) }));
  if (first === undefined) throw new Error("a broker without an owner");
  const listen = "127.0.0.1";
  createFleet({ ...first, hosts: [listen], listen, port });
  for (const { owner, members, folder: own } of others) {
    mkdirSync(own);
    for (const file of ["broker-cert.pem", "broker-key.pem"]) copyFileSync(join(first.folder, file), join(own, file));
    writeFileSync(join(own, "fleet.json"), JSON.stringify({ owner, listen, port, members: [] }));
    addToFleet(own, members);
  }
  const accounts = others.map((one) => splitConfig(one.folder).accounts);
  const { before, accounts: own } = splitConfig(first.folder);
  writeFileSync(join(folder, "nats-server.conf"), `${before}accounts {\n${[own, ...accounts].join("\n")}\n}\n`);
}

function splitConfig(folder: string): { before: string; accounts: string } {
  const config = readFileSync(join(folder, "nats-server.conf"), "utf8");
  const [, before = "", accounts = ""] = /^([\s\S]*)^accounts \{\n([\s\S]*)\n\}\n$/m.exec(config) ?? [];
  return { before, accounts };
}
