import { type IncomingMessage, request } from "node:http";
import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";

/** Resolves every name to this machine, as browsers do for names below `localhost`; the system's resolver may not. */
export const toLoopback: LookupFunction = (_name, options, done) => {
  if (options.all === true) done(null, [{ address: "127.0.0.1", family: 4 }]);
  else done(null, "127.0.0.1", 4);
};

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Like `fetch` without following redirects, for an address whose name only a browser resolves. */
export function fetchLocal(url: URL | string, { method = "GET", headers = {}, body }: Sent = {}): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, lookup: toLoopback, agent: false }, (answer) =>
      resolve(responseOf(answer)),
    );
    sent.on("error", reject).end(body);
  });
}

function responseOf(answer: IncomingMessage): Response {
  const headers = new Headers();
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    headers.append(answer.rawHeaders[at] ?? "", answer.rawHeaders[at + 1] ?? "");
  }
  const status = answer.statusCode ?? 0;
  const empty = status === 204 || status === 304;
  return new Response(empty ? null : (Readable.toWeb(answer) as ReadableStream), { status, headers });
}
