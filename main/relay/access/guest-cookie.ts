import type { IncomingMessage } from "node:http";
import type { SessionId } from "../../../core/protocol/ids.ts";
import { cookieValues, strictCookie } from "../net/cookies.ts";
import type { Guest, InviteStore } from "./invites.ts";

/**
 * Returns a `Set-Cookie` header for a browser that joined by an invite. Its path keeps it from other servers of this
 * machine, because browsers do not tell ports apart.
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
  return strictCookie(nameOf(session), secret, { path: `${basePath}/s/${session}`, maxAgeMs, secure });
}

/** Returns the guest whose cookie for this session a request carries, with the cookie's secret. */
export function findGuest(
  request: Pick<IncomingMessage, "headers">,
  session: string,
  invites: Pick<InviteStore, "findGuest">,
): { readonly guest: Guest; readonly secret: string } | undefined {
  for (const secret of cookieValues(request, nameOf(session))) {
    const guest = invites.findGuest(secret);
    if (guest?.session === session) return { guest, secret };
  }
  return undefined;
}

function nameOf(session: string): string {
  return `patchbay_guest_${session}`;
}
