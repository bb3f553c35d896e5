import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface Cable extends AsyncDisposable {
  readonly port: number;
  /** Breaks every connection, and every attempt to make one, until `mend`. */
  cut(): void;
  mend(): void;
}

/** A TCP line to a port of this machine that can be cut: what a network does to a page, without the relay's knowing. */
export async function layCable(target: number): Promise<Cable> {
  const ends = new Set<Socket>();
  let whole = true;
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        ends.delete(socket);
        other.destroy();
      });
    }
    if (!whole) near.destroy();
    near.pipe(far).pipe(near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  const cut = () => {
    whole = false;
    for (const socket of [...ends]) socket.destroy();
  };
  return {
    port: address.port,
    cut,
    mend() {
      whole = true;
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
