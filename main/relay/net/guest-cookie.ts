import type { IncomingMessage } from "node:http";
import type { SessionId } from "../../../core/protocol/ids.ts";

const PREFIX = "patchbay_guest_";

/**
 * The cookie of a browser that came in by an invite: no script reads it, no other site makes the browser send it. Its
 * path keeps it from other servers of this machine, because browsers do not tell ports apart.
 */
export function guestCookie(wanted: {
  session: SessionId;
  secret: string;
  maxAgeMs: number;
  basePath: string;
  /** Over TLS: the browser then never sends it without. */
  secure: boolean;
}): string {
  const { session, secret, maxAgeMs, basePath, secure } = wanted;
  const maxAge = Math.floor(maxAgeMs / 1000);
  return `${PREFIX}${session}=${secret}; HttpOnly; SameSite=Strict; Path=${basePath}/s/${session}; Max-Age=${maxAge}${secure ? "; Secure" : ""}`;
}

/** The guest's secret for a session, if the request carries one. */
export function guestSecretOf({ headers }: Pick<IncomingMessage, "headers">, session: string): string | undefined {
  for (const pair of headers.cookie?.split(";") ?? []) {
    const [name, value] = pair.trim().split("=", 2);
    if (name === `${PREFIX}${session}`) return value;
  }
  return undefined;
}
