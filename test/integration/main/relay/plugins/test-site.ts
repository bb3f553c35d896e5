import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface TestSite extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Every request that came. */
  readonly requests: readonly IncomingMessage[];
  /** How many connections are open. */
  connections(): Promise<number>;
  /** Answers a path, with text or as the listener likes. */
  on(path: string, answer: string | RequestListener): void;
}

/** A web server on the loopback address, gone at the end of the test. */
export async function startTestSite(tls?: { key: string; cert: string }): Promise<TestSite> {
  const answers = new Map<string, string | RequestListener>();
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    const answer = answers.get(request.url ?? "");
    if (typeof answer === "function") answer(request, response);
    else response.writeHead(answer === undefined ? 404 : 200).end(answer);
  };
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    port,
    requests,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      }),
    on: (path, answer) => answers.set(path, answer),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A manifest that is right, with changes. */
export function manifestWith(changes: Readonly<Record<string, unknown>> = {}): string {
  const permissions = ["getAgentCost", "toast"];
  const plain = { id: "agent-cost", name: "Agent cost", version: "1.0.0", entry: "index.html", permissions };
  return JSON.stringify({ ...plain, ...changes });
}
