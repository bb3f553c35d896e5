import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { operationNames, operations } from "../../../core/operations/index.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { canonicalAddress } from "../tls/certificate.ts";
import type { RemoteAccess } from "../tls/remote-access.ts";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "::1"]);

/** Pages and the like that other machines may request: sessions by key or by invite, the panel by the owner's key. */
const REMOTE_PAGES = [/^\/s\//, /^\/panel\/?$/, /^\/v1\/health$/];
/**
 * The first words of the operations' paths, which other machines may request too: a key may call each of them by its name
 * anyway. What is no operation, such as logins of programs, the description of the API and figures, is not among them.
 */
const OPERATION = /^\/v1\/([a-z-]+)(?:\/|$)/;
const operationWords = new Set(operationNames.map((name) => operations[name].http.path.split("/")[0]));

const PLUGIN_PAGE = /^\/v1\/sessions\/[^/]+\/plugins\/[^/]+\/([0-9a-f]+)\/(?:page|probe)$/;
/** Characters of the digest in the address of a plugin's page. */
const DIGEST_LENGTH = 64;

interface OriginOptions {
  /** Everything is served under this path as well; "" for none. */
  readonly basePath: string;
  /** Returns how other machines reach the relay; undefined if they do not. */
  remoteAccess(): RemoteAccess | undefined;
}

/** Like `checkSite`, but exempts plugin pages, and limits other machines to pages and operations. */
export function checkOrigin(request: IncomingMessage, options: OriginOptions): void {
  checkHost(request, options);
  if (!isPluginPage(request, options.basePath)) checkSameOrigin(request);
  if (isRemote(request) && !isRemotePath(request.url ?? "/", options.basePath)) {
    throw new RemoteError("unknown_route", "No such path for other machines: they reach pages and operations only.");
  }
}

type CheckedRequest = Pick<IncomingMessage, "headers" | "socket" | "rawHeaders" | "url">;

/**
 * Refuses requests that a page of another site sends through the user's browser: a foreign `Host` is DNS rebinding, a
 * foreign `Origin` a cross-site request. Programs send no `Origin`.
 */
export function checkSite(request: CheckedRequest, options: Pick<OriginOptions, "remoteAccess">): void {
  checkHost(request, options);
  checkSameOrigin(request);
}

function checkHost(request: CheckedRequest, { remoteAccess }: Pick<OriginOptions, "remoteAccess">): void {
  const { host } = request.headers;
  if (host === undefined) {
    throw new RemoteError("invalid_request", "The request has no Host header: send the relay's address in it.");
  }
  // Node keeps the first of several, and a program in between may go by another one (RFC 9112 §3.2).
  if (request.rawHeaders.filter((word, index) => index % 2 === 0 && HOST_NAME.test(word)).length > 1) {
    throw new RemoteError("invalid_request", "The request has several Host headers: send one.");
  }
  const secure = isRemote(request);
  const access = secure ? remoteAccess() : undefined;
  const authority = AUTHORITY.exec(request.url ?? "")?.[1];
  if (authority !== undefined && !isOwnHost(authority, request, access)) {
    throw new RemoteError(
      "invalid_request",
      "The request's target is an address of another server: send the path alone.",
    );
  }
  if (!isOwnHost(host, request, access)) {
    throw new RemoteError(
      "foreign_origin",
      secure
        ? "This relay answers only to the names in its certificate: use one of the addresses that it printed at its start."
        : "This relay answers only to its own address, such as 127.0.0.1 or localhost.",
    );
  }
}

/** Refuses a request that a page of another origin sends. Programs send no `Origin`. */
export function checkSameOrigin(request: Pick<CheckedRequest, "headers" | "socket">): void {
  const { host, origin } = request.headers;
  if (origin !== undefined && origin !== `${isRemote(request) ? "https" : "http"}://${host}`) {
    throw new RemoteError("foreign_origin", "Requests from other origins are refused.");
  }
}

/**
 * A plugin's page and its scripts are requested by a document with an opaque origin, which some browsers send as `null`.
 * They take no credential and change nothing; their parameters are two random names (plugin-page-routes.ts).
 */
function isPluginPage({ method, url = "/", headers }: IncomingMessage, basePath: string): boolean {
  const [path = "/"] = url.split("?");
  return (
    headers.origin === "null" &&
    method === "GET" &&
    PLUGIN_PAGE.exec(below(path, basePath))?.[1]?.length === DIGEST_LENGTH
  );
}

/** Returns whether a request came from another machine: only the listener for those speaks TLS. */
export function isRemote({ socket }: Pick<IncomingMessage, "socket">): boolean {
  return socket instanceof TLSSocket;
}

/** Name of the header. */
const HOST_NAME = /^host$/i;

/** The authority of a request target in absolute form (RFC 9112 §3.2.2), which counts more than `Host`. */
const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

function isOwnHost(host: string, request: CheckedRequest, remoteAccess: RemoteAccess | undefined): boolean {
  const name = hostName(host);
  return name !== undefined && isOwnName(name, request, remoteAccess);
}

/** Accepts the listener's own address too, because DNS rebinding cannot produce it. */
function isOwnName(
  name: string,
  { socket }: Pick<IncomingMessage, "socket">,
  remoteAccess: RemoteAccess | undefined,
): boolean {
  if (remoteAccess === undefined) return LOOPBACK.has(name) || name === plainAddress(socket.localAddress);
  return remoteAccess.serves(name) || canonicalAddress(name) === plainAddress(socket.localAddress);
}

function isRemotePath(url: string, basePath: string): boolean {
  const [path = "/"] = url.split("?");
  const own = below(path, basePath);
  const word = OPERATION.exec(own)?.[1];
  return REMOTE_PAGES.some((pattern) => pattern.test(own)) || (word !== undefined && operationWords.has(word));
}

/** Returns a path without the base path. */
export function below(path: string, basePath: string): string {
  return basePath !== "" && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
}

/** A whole `Host` header (RFC 9110 §7.2): a name or IPv4 address, or an IPv6 address in brackets, and perhaps a port. */
const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i;

/**
 * Returns the host of a `Host` header in lower case, without port and brackets; undefined for a header of another form. It
 * is matched as a whole because policies and addresses are built from it.
 */
function hostName(header: string): string | undefined {
  const [, address, name] = HOST.exec(header) ?? [];
  return (address ?? name)?.toLowerCase();
}

/** A socket for both families calls IPv4 peers `::ffff:192.0.2.1`. */
function plainAddress(address: string | undefined): string | undefined {
  return address === undefined ? undefined : canonicalAddress(address.replace(/^::ffff:(?=\d+\.)/, ""));
}
