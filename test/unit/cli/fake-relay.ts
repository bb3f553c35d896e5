import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

type Responder = (received: Received, response: ServerResponse) => void;

/** A real HTTP server that plays the relay: keeps what came and answers as the test says. */
export async function startFakeRelay(answer: Responder) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const text = Buffer.concat(pieces).toString();
    const got = {
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      body: text === "" ? undefined : (JSON.parse(text) as unknown),
    };
    received.push(got);
    answer(got, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    server,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function ok(response: ServerResponse, result: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { "Content-Type": "application/json", ...headers }).end(JSON.stringify({ result }));
}

export function refuse(response: ServerResponse, status: number, code: string, sentence: string): void {
  response.writeHead(status, { "Content-Type": "text/plain", "X-Service-Error": code }).end(`${sentence}\n`);
}

export const sessions = [
  {
    id: "Abcdefgh12345678",
    name: "default",
    owner: "me",
    userCount: 1,
    shellCount: 0,
    createdAt: "2026-11-21T04:00:00Z",
  },
  {
    id: "Zyxwvuts87654321",
    name: "production",
    owner: "me",
    userCount: 0,
    shellCount: 0,
    createdAt: "2026-11-21T04:00:00Z",
  },
];
