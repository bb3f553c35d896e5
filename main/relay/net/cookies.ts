import type { IncomingMessage } from "node:http";

/** Returns a `Set-Cookie` header for a cookie that no script can read and no other site makes the browser send. */
export function strictCookie(
  name: string,
  value: string,
  { path, maxAgeMs, secure }: { path: string; maxAgeMs?: number /** Sent over TLS only. */; secure: boolean },
): string {
  const maxAge = maxAgeMs === undefined ? "" : `; Max-Age=${Math.floor(maxAgeMs / 1000)}`;
  return `${name}=${value}; HttpOnly; SameSite=Strict; Path=${path}${maxAge}${secure ? "; Secure" : ""}`;
}

/**
 * Returns every value that a request carries for a cookie, as sent. There may be several: cookies do not know ports, so
 * a page behind a tunnel can set one of the same name for a longer path, and browsers send that one first.
 */
export function cookieValues({ headers }: Pick<IncomingMessage, "headers">, name: string): string[] {
  return (headers.cookie ?? "").split(";").flatMap((pair) => {
    const [own, value = ""] = pair.trim().split("=", 2);
    return own === name ? [value] : [];
  });
}
