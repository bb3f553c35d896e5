import { join } from "node:path";
import { TUNNEL_ENTRY } from "../../../../../core/protocol/page-credentials.ts";
import type { Role, Tunnel } from "../../../../../core/protocol/records.ts";
import { PortFinder } from "../../../../../main/system/listeners/port-finder.ts";
import { fetchLocal } from "../../../../support/local-name.ts";
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
  /** The cookie of a guest. */
  guest(role?: Role): string;
  /** Asks for a pass as the session's page does. */
  pass(port: number, guest?: string): Promise<Response>;
  /** The cookie of a browser that was admitted at the tunnel's own host, as a `Cookie` header. */
  cookie(port: number, guest?: string): Promise<string>;
}

/** A relay that looks for tunnels, with one client. */
export async function startTunnelLab(options: TestRelayOptions = {}): Promise<TunnelLab> {
  const relay = await startTestRelay({ ports: () => new PortFinder(), ...options });
  const client = await relay.join();
  const tunnels = () => relay.command<Tunnel[]>("getTunnelPorts");
  const guest = (role: Role = "writer") => {
    const { secret } = relay.relay.invites.create({ session: relay.session, role, uses: 1, ttlMs: 60_000 });
    const entered = relay.relay.invites.accept(relay.session, secret, "guest");
    return `patchbay_guest_${relay.session}=${entered.secret}`;
  };
  const pass = (port: number, as = guest()) =>
    fetch(`${relay.url}/s/${relay.session}/tunnels/${port}`, { method: "POST", headers: { Cookie: as } });
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
    guest,
    pass,
    async cookie(port, as) {
      const given = await pass(port, as);
      if (!given.ok) throw new Error(`no pass: ${given.status} ${await given.text()}`);
      const { result } = (await given.json()) as { result: { url: string; pass: string } };
      const answer = await fetchLocal(new URL(TUNNEL_ENTRY, result.url), { method: "POST", body: result.pass });
      if (!answer.ok) throw new Error(`not admitted: ${answer.status} ${await answer.text()}`);
      return (answer.headers.get("set-cookie") ?? "").split(";", 1).join("");
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
    },
  };
}
