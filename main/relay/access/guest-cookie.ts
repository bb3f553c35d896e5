import type { IncomingMessage } from "node:http";
import type { SessionId } from "../../../core/protocol/ids.ts";
import { GUEST_HEADER, GUEST_PROTOCOL } from "../../../core/protocol/page-credentials.ts";
import { cookieValues, strictCookie } from "../net/cookies.ts";
import { type Guest, type Guests, guestSecretOf } from "./guests.ts";

/**
 * Returns a `Set-Cookie` header for a browser that joined by an invite. Over TLS the cookie has the prefix `__Host-`; on
 * this machine its path keeps it from most requests to other servers, because browsers do not tell ports apart.
 */
export function guestCookie(options: {
  session: SessionId;
  secret: string;
  maxAgeMs: number;
  basePath: string;
  /** Set for a connection over TLS: the browser then sends the cookie over TLS only. */
  secure: boolean;
}): string {
  const { session, secret, maxAgeMs, basePath, secure } = options;
  const path = secure ? "/" : `${basePath}/s/${session}`;
  return strictCookie(nameOf(session, secure), secret, { path, maxAgeMs, secure });
}

/**
 * Returns the guest of this session for whom a request is sent. A request with a page key is that
 * guest's or no one's, whatever its cookies: a server on another port of the host can set and evict cookies. Without a
 * page key any valid cookie of the session counts, not only the first.
 */
export function findGuest(
  request: Pick<IncomingMessage, "headers">,
  session: string,
  guests: Pick<Guests, "find">,
): Guest | undefined {
  const key = pageKeyOf(request);
  const cookies = () => [true, false].flatMap((secure) => cookieValues(request, nameOf(session, secure)));
  const secrets = key === undefined ? cookies() : [guestSecretOf(key)];
  for (const secret of secrets) {
    const guest = guests.find(secret);
    if (guest?.session === session) return guest;
  }
  return undefined;
}

/** Returns whether a request carries a secret of a guest of the session, valid or not. */
export function carriesGuestSecret(request: Pick<IncomingMessage, "headers">, session: string): boolean {
  const names = [nameOf(session, true), nameOf(session, false)];
  return pageKeyOf(request) !== undefined || names.some((name) => cookieValues(request, name).length > 0);
}

/** Returns the page key of a page's request or WebSocket; undefined if it carries none. */
function pageKeyOf({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const named = headers[GUEST_HEADER];
  if (named !== undefined) return String(named);
  const [protocol, key] = (headers["sec-websocket-protocol"] ?? "").split(",", 2).map((name) => name.trim());
  return protocol === GUEST_PROTOCOL ? (key ?? "") : undefined;
}

function nameOf(session: string, secure: boolean): string {
  return `${secure ? "__Host-" : ""}patchbay_guest_${session}`;
}
