import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { TUNNEL_ENTRY } from "../../../../../core/protocol/page-credentials.ts";
import type { Role, Tunnel } from "../../../../../core/protocol/records.ts";
import type { FoundPort } from "../../../../../main/system/listeners/listening-ports.ts";
import { fetchLocal } from "../../../../support/local-name.ts";
import type { TestRelay, TestRelayOptions } from "../../../../support/test-relay.ts";
import { until } from "../../../../support/until.ts";
import { startPaperRelay } from "../paper-relay.ts";

export interface PaperTunnels extends AsyncDisposable {
  readonly relay: TestRelay;
  /** Starts the test program at a loopback address, and waits for its tunnel. */
  program(host?: string): Promise<Tunnel>;
  /** Ends the program of a tunnel, which is still listed. */
  end(tunnel: Tunnel): Promise<void>;
  /** The cookie of a guest. */
  guest(role?: Role): string;
  /** Asks for a pass as the session's page does. */
  pass(port: number, guest?: string): Promise<Response>;
  /** The cookie of a browser that was admitted at the tunnel's own host, as a `Cookie` header. */
  cookie(port: number, guest?: string): Promise<string>;
}

/** A relay whose one shell is a record, and programs in this process that count as the shell's. */
export async function startPaperTunnels(options: TestRelayOptions = {}): Promise<PaperTunnels> {
  const listening = new Map<number, { readonly server: Server; readonly address: string }>();
  const find = async (shells: readonly { readonly id: FoundPort["shellId"] }[]): Promise<readonly FoundPort[]> =>
    shells
      .slice(0, 1)
      .flatMap(({ id: shellId }) =>
        [...listening].map(([port, { address }]) => ({ port, shellId, process: "node", addresses: [address] })),
      );
  const relay = await startPaperRelay({ ports: () => ({ find }), ...options });
  const client = await relay.join();
  await relay.command("createShell");
  const guest = (role: Role = "writer") => {
    const { secret } = relay.relay.invites.create({ session: relay.session, role, uses: 1, ttlMs: 60_000 });
    const entered = relay.relay.invites.accept(relay.session, secret, "guest");
    return `patchbay_guest_${relay.session}=${entered.secret}`;
  };
  const pass = (port: number, as = guest()) =>
    fetch(`${relay.url}/s/${relay.session}/tunnels/${port}`, { method: "POST", headers: { Cookie: as } });
  return {
    relay,
    async program(address = "127.0.0.1") {
      const server = await startTestProgram(address);
      const { port } = server.address() as AddressInfo;
      listening.set(port, { server, address });
      return until("the tunnel", async () =>
        (await relay.command<Tunnel[]>("getTunnelPorts")).find((tunnel) => tunnel.port === port),
      );
    },
    async end({ port }) {
      const { server } = listening.get(port) ?? {};
      server?.closeAllConnections();
      await new Promise((resolve) => server?.close(resolve));
    },
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
      for (const { server } of listening.values()) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** A web server as a developer's could be, and as unfriendly as one could be: it tells what it was asked. */
async function startTestProgram(host: string): Promise<Server> {
  const server = createServer((request, response) => {
    switch (request.url) {
      case "/cookies":
        response.setHeader("Set-Cookie", ["own=1; Domain=localhost; Path=/", "patchbay_guest_x=stolen; Path=/"]);
        response.setHeader("Clear-Site-Data", '"cookies"');
        response.setHeader("Strict-Transport-Security", "max-age=1000");
        response.end("cookies");
        break;
      case "/redirect":
        response.writeHead(302, { Location: `http://localhost:${(server.address() as AddressInfo).port}/landed?a=1` });
        response.end();
        break;
      case "/away":
        response.writeHead(302, { Location: "https://example.test/there" }).end();
        break;
      case "/status":
        request.socket.end("HTTP/1.1 042 none\r\nContent-Length: 4\r\n\r\nbody");
        break;
      case "/reason":
        request.socket.end("HTTP/1.1 200 a\u0001b\u007f\r\nContent-Length: 4\r\n\r\nbody");
        break;
      case "/trailer":
        request.socket.end("HTTP/1.1 200 OK\r\nTrailer: X\r\nContent-Length: 4\r\n\r\nbody");
        break;
      case "/switched":
        request.socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n");
        break;
      case "/stream":
        response.writeHead(200, { "Content-Type": "text/event-stream" });
        response.write("data: first\n\n");
        server.once("again", () => response.write("data: second\n\n"));
        break;
      case "/again":
        server.emit("again");
        response.end();
        break;
      default: {
        let body = "";
        request.on("data", (piece) => (body += piece));
        request.on("end", () =>
          response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body })),
        );
      }
    }
  });
  new WebSocketServer({ server }).on("connection", (socket, { headers }) => {
    socket.send(JSON.stringify(headers));
    socket.on("message", (data) => socket.send(`echo ${data}`));
  });
  server.listen(0, host);
  await once(server, "listening");
  return server;
}
