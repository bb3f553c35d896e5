import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that says it is a healthy relay, and answers everything else as the test says. */
export interface HostileRelay extends AsyncDisposable {
  readonly url: string;
  /** What it was asked, with the headers. */
  readonly asked: IncomingMessage[];
  answer: (request: IncomingMessage, response: ServerResponse) => void;
}

export async function startHostileRelay(): Promise<HostileRelay> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    if (request.url === "/v1/health") sendJson(response, { ok: true, version: "9.9.9" });
    else relay.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const relay: HostileRelay = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: (_request, response) => sendJson(response, { result: { user: "mallory" } }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return relay;
}

export function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(value));
}
