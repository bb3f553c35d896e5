import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { canonicalAddress } from "../tls/certificate.ts";
import type { Outside } from "../tls/remote-access.ts";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "::1"]);

/** What other machines may ask for: sessions by key or by invite, and nothing that a later version adds unseen. */
const FOR_OUTSIDE = [/^\/s\//, /^\/v1\/sessions(\/|$)/, /^\/v1\/(health|whoami)$/];

const PLUGIN_PAGE = /^\/v1\/sessions\/[^/]+\/plugins\/[^/]+\/[0-9a-f]{64}\/(page|patchbay\.js)$/;

/** What a request is checked against. */
export interface Doors {
  /** Everything is served under this path as well; "" for none. */
  readonly basePath: string;
  /** The listener for other machines, if there is one. */
  outside(): Outside | undefined;
}

/** As `checkSite`, but for plugins' pages; and from other machines only sessions can be reached. */
export function checkOrigin(request: IncomingMessage, doors: Doors): void {
  checkHost(request, doors);
  if (!isPluginPage(request, doors.basePath)) checkSameOrigin(request);
  if (isFromOutside(request) && !isForOutside(request.url ?? "/", doors.basePath)) {
    throw new RemoteError("unknown_route", "No such path for other machines: they reach sessions only.");
  }
}

type Asked = Pick<IncomingMessage, "headers" | "socket">;

/**
 * Refuses requests that a page of another site sends through the user's browser: a foreign `Host` is DNS rebinding, a
 * foreign `Origin` a cross-site request. Programs send no `Origin`.
 */
export function checkSite(request: Asked, doors: Pick<Doors, "outside">): void {
  checkHost(request, doors);
  checkSameOrigin(request);
}

function checkHost(request: Asked, { outside }: Pick<Doors, "outside">): void {
  const { host } = request.headers;
  const secure = isFromOutside(request);
  if (host === undefined || !answersTo(hostName(host), request, secure ? outside() : undefined)) {
    throw new RemoteError(
      "foreign_origin",
      secure
        ? "This relay answers only to the names in its certificate: use one of the addresses that it printed at its start."
        : "This relay answers only to its own address, such as 127.0.0.1 or localhost.",
    );
  }
}

function checkSameOrigin(request: Asked): void {
  const { host, origin } = request.headers;
  if (origin !== undefined && origin !== `${isFromOutside(request) ? "https" : "http"}://${host}`) {
    throw new RemoteError("foreign_origin", "Requests from other origins are refused.");
  }
}

/**
 * A plugin's page and what it loads are asked for by a document with an opaque origin, which some browsers call `null`.
 * They take no credential and change nothing; their parameters are two random names (plugin-page-routes.ts).
 */
function isPluginPage({ method, url = "/", headers }: IncomingMessage, basePath: string): boolean {
  const [path = "/"] = url.split("?");
  return headers.origin === "null" && method === "GET" && PLUGIN_PAGE.test(below(path, basePath));
}

/** Whether a request came over TLS, which only the listener for other machines speaks. */
export function isFromOutside({ socket }: Pick<IncomingMessage, "socket">): boolean {
  return socket instanceof TLSSocket;
}

/** A listener on an address that is not a name is also called by that address: no page can rebind it. */
function answersTo(name: string, { socket }: Pick<IncomingMessage, "socket">, outside: Outside | undefined): boolean {
  if (outside === undefined) return LOOPBACK.has(name) || name === plainAddress(socket.localAddress);
  return outside.serves(name) || canonicalAddress(name) === plainAddress(socket.localAddress);
}

function isForOutside(url: string, basePath: string): boolean {
  const [path = "/"] = url.split("?");
  const own = below(path, basePath);
  return FOR_OUTSIDE.some((pattern) => pattern.test(own));
}

/** A path as it is without the base path, under which everything is served as well. */
function below(path: string, basePath: string): string {
  return basePath !== "" && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
}

/** The host of a `Host` header, in lower case, without port and brackets. */
function hostName(host: string): string {
  const name = host.startsWith("[") ? host.slice(1, Math.max(1, host.indexOf("]"))) : host.split(":", 1).join("");
  return name.toLowerCase();
}

/** A socket for both families calls IPv4 peers `::ffff:192.0.2.1`. */
function plainAddress(address: string | undefined): string | undefined {
  return address === undefined ? undefined : canonicalAddress(address.replace(/^::ffff:(?=\d+\.)/, ""));
}
