import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** A name that a test's browser resolves to this machine: see `switches`. */
const ZONE = "trap.test";

/** Listeners of a test's own that count what reaches them: STUN and TURN by UDP and TCP, and connections to a web server. */
export interface NetworkTrap extends AsyncDisposable {
  readonly udp: number;
  readonly tcp: number;
  /** Connections to the web server. */
  readonly web: number;
  /** Those of them that sent something. */
  readonly requests: number;
  /** A script's function body that tries every way to the network in its own realm, and then returns. */
  readonly attack: string;
  /** Host name of its web server. */
  readonly host: string;
  /** Address of its web server. */
  readonly url: string;
}

/** Switches for a browser in which the names of traps lead to this machine. */
export const trapSwitches = [`--host-resolver-rules=MAP *.${ZONE} 127.0.0.1`];

/** Sets a trap whose web server has this name. */
export async function setNetworkTrap(name: string): Promise<NetworkTrap> {
  const counts = { udp: 0, tcp: 0, web: 0, requests: 0 };
  const open = new Set<Socket>();
  const udp = createSocket("udp4").on("message", () => (counts.udp += 1));
  udp.bind(0, "127.0.0.1");
  await once(udp, "listening");
  const counter = async (kind: "tcp" | "web") => {
    const server = createServer((socket) => {
      counts[kind] += 1;
      socket.on("error", () => socket.destroy());
      socket.once("data", () => {
        if (kind === "web") counts.requests += 1;
        // A browser that waits for an answer would hold back its next try.
        socket.destroy();
      });
      open.add(socket);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return server;
  };
  const [tcp, web] = await Promise.all([counter("tcp"), counter("web")]);
  const tcpPort = (tcp.address() as AddressInfo).port;
  const host = `${name}.${ZONE}`;
  const url = `http://${host}:${(web.address() as AddressInfo).port}/`;
  return {
    get udp() {
      return counts.udp;
    },
    get tcp() {
      return counts.tcp;
    },
    get web() {
      return counts.web;
    },
    host,
    url,
    get requests() {
      return counts.requests;
    },
    attack: `
      const turn = (port, by) => ({ urls: "turn:127.0.0.1:" + port + by, username: "secret", credential: "x" });
      const servers = [turn(${udp.address().port}, ""), { urls: "stun:127.0.0.1:${udp.address().port}" }, turn(${tcpPort}, "?transport=tcp")];
      for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) {
        try {
          const connection = new globalThis[name]({ iceServers: servers });
          connection.createDataChannel("x");
          connection.createOffer().then((offer) => connection.setLocalDescription(offer));
          (globalThis.kept ??= []).push(connection);
        } catch {}
      }
      const tries = [
        () => fetch("${url}fetch", { mode: "no-cors" }).catch(() => {}),
        () => new WebSocket("${url.replace("http", "ws")}"),
        () => new EventSource("${url}events"),
        () => navigator.sendBeacon("${url}beacon", "secret"),
        () => { new Image().src = "${url}image"; },
        () => import("${url}module").catch(() => {}),
        ...["preconnect", "dns-prefetch", "prefetch", "preload", "stylesheet", "icon"].map((rel) => () =>
          document.head.append(Object.assign(document.createElement("link"), { rel, as: "script", href: "${url}" + rel }))),
        () => document.head.append(Object.assign(document.createElement("script"), { src: "${url}script" })),
      ];
      for (const act of tries) try { act(); } catch {}
    `,
    async [Symbol.asyncDispose]() {
      udp.close();
      for (const socket of open) socket.destroy();
      await Promise.all([tcp, web].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
