import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that Linux, macOS and Windows give to connections and to listeners that ask for any: a port of those could
 * be given away again before the caller listens at it, with suites running beside each other.
 */
const PORTS = { first: 20_000, end: 32_768 };

let next = randomInt(PORTS.first, PORTS.end);

/** A free port of 127.0.0.1 that no program is given by chance. */
export async function freePort(): Promise<number> {
  for (let tried = PORTS.first; tried < PORTS.end; tried++) {
    const port = next;
    next = port + 1 < PORTS.end ? port + 1 : PORTS.first;
    if (await isFree(port)) return port;
  }
  throw new Error("no port is free");
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
    return true;
  } catch {
    return false;
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
