import type { IncomingMessage } from "node:http";
import { RemoteError } from "../../../core/protocol/errors.ts";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Refuses requests that a page of another site sends through the user's browser: a foreign `Host` is DNS rebinding, a
 * foreign `Origin` a cross-site request. Programs send no `Origin`.
 */
export function checkOrigin(request: IncomingMessage): void {
  const { host, origin } = request.headers;
  if (host === undefined || !LOOPBACK.has(hostName(host))) {
    throw new RemoteError(
      "foreign_origin",
      "This relay answers only to its own address, such as 127.0.0.1 or localhost.",
    );
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new RemoteError("foreign_origin", "Requests from other origins are refused.");
  }
}

function hostName(host: string): string {
  const end = host.startsWith("[") ? host.indexOf("]") + 1 : host.indexOf(":");
  return (end <= 0 ? host : host.slice(0, end)).toLowerCase();
}
