import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A message that has arrived. */
export interface Arrived {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface HookReceiver extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly arrived: readonly Arrived[];
  /** How it answers; by default with 204. */
  answer: (response: ServerResponse, message: Arrived) => void;
}

/** A receiver of webhooks at a free port of this machine. */
export async function startHookReceiver(host = "127.0.0.1"): Promise<HookReceiver> {
  const arrived: Arrived[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message = { url: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString("utf8") };
    arrived.push(message);
    receiver.answer(response, message);
  });
  server.listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const receiver: HookReceiver = {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    arrived,
    answer: (response) => void response.writeHead(204).end(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
}
