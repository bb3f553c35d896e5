import { createServer, type Server, type Socket } from "node:net";

/** Length of the backlog; further connections are refused. */
const MAX_WAITING = 256;

/** An address that this process listens on, before the server behind it is ready. */
export interface ReservedPort {
  /** The port, also when any free one was requested. */
  readonly port: number;
  /** Hands the address over to a server, with the pending connections. Closing the server closes it. */
  serve(server: Server): Promise<void>;
  /** Releases the address; has no effect once a server has it. */
  release(): void;
}

/** Starts to listen on an address. Connections wait until there is a server. Rejects with the system's error. */
export async function reservePort({ port, host }: { port: number; host: string }): Promise<ReservedPort> {
  const waiting = new Set<Socket>();
  const placeholder = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => {
    if (waiting.size >= MAX_WAITING) {
      socket.destroy();
      return;
    }
    waiting.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => waiting.delete(socket));
  });
  await listening(placeholder, () => placeholder.listen(port, host));
  const address = placeholder.address();
  let handedOver = false;
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    async serve(server) {
      handedOver = true;
      await listening(server, () => server.listen(placeholder));
      for (const socket of waiting) {
        server.emit("connection", socket);
        socket.resume();
      }
      waiting.clear();
    },
    release() {
      if (handedOver) return;
      placeholder.close();
      for (const socket of waiting) socket.destroy();
    },
  };
}

function listening(server: Server, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      resolve();
    });
    listen();
  });
}
