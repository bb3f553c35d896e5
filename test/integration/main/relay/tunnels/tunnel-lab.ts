import { join } from "node:path";
import type { Tunnel } from "../../../../../core/protocol/records.ts";
import { PortFinder } from "../../../../../main/system/listeners/port-finder.ts";
import type { ScriptedClient } from "../../../../support/scripted-client.ts";
import { startTestRelay, type TestRelay, type TestRelayOptions } from "../../../../support/test-relay.ts";
import { until } from "../../../../support/until.ts";

export interface TunnelLab extends AsyncDisposable {
  readonly relay: TestRelay;
  readonly client: ScriptedClient;
  /** A new shell in which this command line runs. */
  shell(command: string): Promise<number>;
  /** The test program's command line. */
  program(host?: string): string;
  tunnels(): Promise<Tunnel[]>;
  /** Waits for the one tunnel of a shell. */
  tunnelOf(shell: number): Promise<Tunnel>;
}

/** A relay that looks for tunnels, with one client. */
export async function startTunnelLab(options: TestRelayOptions = {}): Promise<TunnelLab> {
  const relay = await startTestRelay({ ports: () => new PortFinder(), ...options });
  const client = await relay.join();
  const tunnels = () => relay.command<Tunnel[]>("getTunnelPorts");
  return {
    relay,
    client,
    async shell(command) {
      return (await relay.command<{ shellId: number }>("createShell", { command })).shellId;
    },
    program: (host = "127.0.0.1") => `${process.execPath} ${join(import.meta.dirname, "test-program.mjs")} ${host}`,
    tunnels,
    tunnelOf: (shell) =>
      until("the tunnel", async () => (await tunnels()).find(({ shellId }) => shellId === shell), 20_000),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
    },
  };
}
