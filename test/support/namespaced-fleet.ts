import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFleet } from "../../main/relay/fleet/fleet-files.ts";
import { brokerProgram } from "./nats-server.ts";
import { type Networks, type Reply, startNetworks } from "./network-namespaces.ts";
import { type ServeLab, type ServeProcess, startServeLab } from "./start-serve.ts";

const PORT = 4222;

export interface NamespacedRelay {
  readonly process: ServeProcess;
  /** A key of this relay. */
  readonly key: string;
}

export interface NamespacedFleet extends AsyncDisposable {
  readonly networks: Networks;
  relay(name: string): NamespacedRelay;
  /** Sends a request from the namespace of a relay to that relay, with its key unless the headers bring another. */
  send(at: string, method: string, path: string, options?: SendOptions): Promise<Reply>;
  /** Starts a relay again with the credentials of this name. */
  restart(name: string, credentials: string): Promise<void>;
  /** What a relay of this process joins with, which `own` names. */
  readonly joining: { readonly url: string; readonly credentialsFile: string };
}

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

interface NamespacedFleetOptions {
  /** Name of a relay of this process: its namespace is linked to the broker's, too. */
  readonly own?: string;
  /** Changes the files of the fleet before the broker starts; `hosts` are the broker's addresses. */
  readonly edit?: (folder: string, hosts: readonly string[]) => void;
}

/** Built relays with a client, each in a network namespace of its own, whose only way to each other is a broker. */
export async function startNamespacedFleet(
  names: readonly string[],
  { own, edit }: NamespacedFleetOptions = {},
): Promise<NamespacedFleet> {
  const networks = startNetworks(names);
  const folder = mkdtempSync(join(tmpdir(), "patchbay-namespaces-"));
  const relays = new Map<string, NamespacedRelay & { readonly lab: ServeLab }>();
  const ownHub = own === undefined ? "127.0.0.1" : networks.linkOwn();
  const hosts = [...names.map((name) => networks.of(name).hubAddress), ownHub];
  const members = own === undefined ? names : [...names, own];
  createFleet({ folder, owner: "chaos", hosts, listen: "0.0.0.0", port: PORT, members });
  edit?.(folder, hosts);
  const [ip = "", ...words] = networks.hub.within;
  const config = join(folder, "nats-server.conf");
  const broker = spawn(ip, [...words, brokerProgram(), "-c", config], { stdio: "ignore" });
  const credentialsOf = (name: string) => join(folder, `${name}.creds`);
  const serve = (lab: ServeLab, name: string, credentials: string) => {
    const fleet = ["--fleet", `nats://${networks.of(name).hubAddress}:${PORT}`];
    return lab.serve(["--client", ...fleet, "--fleet-creds", credentialsOf(credentials)]);
  };
  for (const name of names) {
    const lab = await startServeLab({ within: networks.of(name).within });
    relays.set(name, { lab, process: await serve(lab, name, name), key: await lab.makeKey() });
  }
  const relay = (name: string) => {
    const found = relays.get(name);
    if (found === undefined) throw new Error(`no relay ${name}`);
    return found;
  };
  return {
    networks,
    relay,
    joining: { url: `nats://${ownHub}:${PORT}`, credentialsFile: credentialsOf(own ?? "") },
    send(at, method, path, { headers = {}, body } = {}) {
      const { process, key } = relay(at);
      return networks.of(at).request(method, `${process.url}${path}`, {
        headers: { "X-Service-Token": key, ...headers },
        ...(body === undefined ? {} : { body }),
      });
    },
    async restart(name, credentials) {
      const { lab, key, process } = relay(name);
      await process.stop();
      relays.set(name, { lab, key, process: await serve(lab, name, credentials) });
    },
    async [Symbol.asyncDispose]() {
      for (const { lab } of relays.values()) await lab[Symbol.asyncDispose]();
      broker.kill("SIGKILL");
      if (broker.exitCode === null && broker.signalCode === null) await once(broker, "exit");
      await networks[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
