import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { HTTP_TEXT } from "../net/send.ts";

/** Names of Patchbay's own cookies. */
const PATCHBAY_COOKIE = /^(__(host|secure)-)?patchbay_/i;

/** Response headers that affect every server of a host, whatever its port. */
const HOST_WIDE = ["clear-site-data", "strict-transport-security", "public-key-pins", "alt-svc"];

const BASE = "http://localhost";

/** Host names that a program may use for itself in a redirect. */
const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "[::]"]);

/** Rewrites the headers of a request for the program behind a tunnel, in place. */
export function rewriteRequestHeaders(headers: IncomingHttpHeaders, port: number): void {
  const here = headers.host ?? "";
  headers.host = `localhost:${port}`;
  // A program that compares these with `Host` must still find them equal.
  for (const name of ["origin", "referer"] as const) {
    const value = headers[name];
    if (value !== undefined) headers[name] = value.replace(/^https?:\/\/[^/]+/, (start) => local(start, here, port));
  }
  const cookies = (headers.cookie ?? "").split(/;\s*/).filter((pair) => pair !== "" && !PATCHBAY_COOKIE.test(pair));
  if (cookies.length === 0) delete headers.cookie;
  else headers.cookie = cookies.join("; ");
  delete headers["x-service-token"];
  delete headers.forwarded;
  // No fields that follow a body are passed on, and Node throws where they are announced for a request without a body.
  delete headers.trailer;
  // The relay has answered it.
  delete headers.expect;
  for (const name of Object.keys(headers)) if (name.startsWith("x-forwarded-")) delete headers[name];
  if (headers.upgrade !== undefined && headers.upgrade.toLowerCase() !== "websocket") withdrawOffer(headers);
}

/** Headers of an offer of HTTP/2, besides `Connection`, which names them. */
const OF_OFFER = ["upgrade", "http2-settings"];

/** Removes an offer of another protocol: the relay ignores it, and could not pass on what the program then speaks. */
function withdrawOffer(headers: IncomingHttpHeaders): void {
  const named = (headers.connection ?? "").split(",").map((option) => option.trim());
  const kept = named.filter((option) => option !== "" && !OF_OFFER.includes(option.toLowerCase()));
  if (kept.length === 0) delete headers.connection;
  else headers.connection = kept.join(", ");
  for (const name of OF_OFFER) delete headers[name];
}

/** Attributes of a cookie that the tunnel decides. */
const SITE_ATTRIBUTES = /;\s*(samesite\s*=[^;]*|secure|partitioned)(?=\s*(;|$))/gi;

/**
 * Rewrites a program's response for the browser, in place: its headers, and a status that Node reads but throws for when it is
 * to send it, which would end the relay.
 */
export function rewriteResponse(
  response: Pick<IncomingMessage, "headers" | "statusCode" | "statusMessage">,
  ...rest: [port: number, where?: { readonly ownHost: boolean }]
): void {
  rewriteResponseHeaders(response.headers, ...rest);
  const { statusCode = 0, statusMessage = "" } = response;
  if (statusCode < 100) response.statusCode = 502;
  if (!HTTP_TEXT.test(statusMessage)) response.statusMessage = "";
}

/**
 * Rewrites the headers of a program's response for the browser, in place. `ownHost`: the tunnel has a host of its own, of
 * another site than the page that frames it, where browsers keep only cookies that say that they are for frames.
 */
export function rewriteResponseHeaders(
  headers: IncomingHttpHeaders,
  port: number,
  { ownHost }: { readonly ownHost: boolean } = { ownHost: false },
): void {
  for (const name of HOST_WIDE) delete headers[name];
  delete headers.trailer;
  const cookies = headers["set-cookie"]
    ?.filter((cookie) => !PATCHBAY_COOKIE.test(nameAndMore(cookie)))
    .map((cookie) => cookie.replace(/;\s*domain\s*=[^;]*/gi, ""))
    .map((cookie) => (ownHost ? `${cookie.replace(SITE_ATTRIBUTES, "")}; SameSite=None; Secure; Partitioned` : cookie));
  if (cookies === undefined || cookies.length === 0) delete headers["set-cookie"];
  else headers["set-cookie"] = cookies;
  if (headers.location !== undefined) headers.location = pathInTunnel(headers.location, port) ?? headers.location;
}

/** Returns a cookie from its name on. One without a name is sent as its value alone, so that its value is what a server reads as its name. */
function nameAndMore(cookie: string): string {
  const start = cookie.trim();
  return start.startsWith("=") ? start.slice(1).trim() : start;
}

function local(origin: string, here: string, port: number): string {
  return origin.replace(/^https?:\/\//, "") === here ? `http://localhost:${port}` : origin;
}

/** Returns the path of a redirect to the program itself, so that the browser stays in the tunnel; undefined for another redirect. */
function pathInTunnel(location: string, port: number): string | undefined {
  if (!/^(https?:)?\/\//i.test(location)) return undefined;
  const url = URL.canParse(location, BASE) ? new URL(location, BASE) : null;
  if (url === null || !LOCAL.has(url.hostname) || Number(url.port || 80) !== port) return undefined;
  // Two leading slashes would name another host.
  return `${url.pathname.replace(/^\/+/, "/")}${url.search}${url.hash}`;
}
