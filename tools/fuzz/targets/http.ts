import { Agent, request } from "node:http";
import { Client } from "../../../core/client/client.ts";
import { checkFailures, makeRelay } from "../fuzzed-relay.ts";

const METHODS = ["GET", "POST", "PATCH", "DELETE", "PUT", "OPTIONS"];
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const relay = makeRelay();
const { secret } = relay.keys.create({ owner: relay.user, name: "fuzz" });
const session = relay.sessions.default(relay.user).id;
const host = {
  kind: "desktop",
  device: "fuzz",
  toast: () => "log" as const,
  notify: () => "log" as const,
  viewport: () => ({ cols: 80, rows: 24 }),
} as const;
// A client that executes: without one a command would wait longer than a run may take.
const executor = new Client(host).connect(relay.attachLocal(session, { name: relay.user, role: "admin" }));
const ready = Promise.all([relay.listen({ port: 0 }), executor]);

export const seeds = [
  ["\u00c1", 'command\nX-Service-Timeout: 1\n{"method":"getTiles","params":{},"target_client_id":1}'],
  ["\u00c0", "tiles?client=1\nIdempotency-Key: a\n"],
  ["A", 'sessions\n\n{"name":"x"}'],
  ["@", "audit?limit=10&text=a&before=3\n\n"],
  ["\u0001", "oauth/device_authorization\nContent-Type: application/x-www-form-urlencoded\nclient_id=x"],
].map((parts) => Buffer.from(parts.join(""), "latin1"));

/** A request: the first byte picks method and credential, then a line of path, a line of a header, and the body. */
export async function fuzz(data: Buffer): Promise<void> {
  const [{ port }] = await ready;
  const [path = "", header = "", ...body] = data.subarray(1).toString("latin1").split("\n");
  const [name = "", value = ""] = header.split(":", 2);
  const first = data[0] ?? 0;
  const known = first & 64 ? { "X-Service-Token": secret } : {};
  const below = first & 128 ? `/v1/sessions/${session}/remote` : "/v1";
  const status = await send({
    port,
    method: METHODS[first % METHODS.length] ?? "GET",
    path: `${below}/${path}`,
    headers: { "Content-Type": "application/json", ...known, ...(name === "" ? {} : { [name]: value }) },
    body: Buffer.from(body.join("\n"), "latin1"),
  });
  checkFailures();
  if (status === 500) throw new Error("500 Internal Server Error");
  checkFailures();
}

interface HttpInput {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Returns the status, or undefined if Node refuses to send the request or the server closes the connection. */
function send({ body, ...options }: HttpInput): Promise<number | undefined> {
  return new Promise((resolve) => {
    try {
      const outgoing = request({ ...options, host: "127.0.0.1", agent, timeout: 900 });
      outgoing.on("error", () => resolve(undefined));
      outgoing.on("response", (answer) => {
        resolve(answer.statusCode);
        // An event stream does not end by itself.
        if (answer.headers["content-type"]?.includes("event-stream")) outgoing.destroy();
        else answer.resume();
      });
      outgoing.end(body);
    } catch {
      resolve(undefined);
    }
  });
}
