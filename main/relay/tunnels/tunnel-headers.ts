import type { IncomingHttpHeaders } from "node:http";

/** Every cookie of Patchbay's starts so. */
const OURS = /^patchbay_/i;

/** What a program at the other end could use against its browser's other servers: none of these know ports. */
const HOST_WIDE = ["clear-site-data", "strict-transport-security", "public-key-pins", "alt-svc"];

const BASE = "http://localhost";

/** Names that a program may call itself by in a redirect. */
const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "[::]"]);

/** Turns a request to the door into one to the program behind it, in place. */
export function towardsProgram(headers: IncomingHttpHeaders, port: number): void {
  const here = headers.host ?? "";
  headers.host = `localhost:${port}`;
  // Whoever checks these against `Host` must find them equal, as they were.
  for (const name of ["origin", "referer"] as const) {
    const value = headers[name];
    if (value !== undefined) headers[name] = value.replace(/^https?:\/\/[^/]+/, (start) => local(start, here, port));
  }
  const cookies = (headers.cookie ?? "").split(/;\s*/).filter((pair) => pair !== "" && !OURS.test(pair));
  if (cookies.length === 0) delete headers.cookie;
  else headers.cookie = cookies.join("; ");
  delete headers["x-service-token"];
  delete headers.forwarded;
  for (const name of Object.keys(headers)) if (name.startsWith("x-forwarded-")) delete headers[name];
}

/** Turns the program's answer into one that is good at the door, in place. */
export function towardsBrowser(headers: IncomingHttpHeaders, port: number): void {
  for (const name of HOST_WIDE) delete headers[name];
  const cookies = headers["set-cookie"]
    ?.filter((cookie) => !OURS.test(cookie.trim()))
    .map((cookie) => cookie.replace(/;\s*domain=[^;]*/gi, ""));
  if (cookies === undefined || cookies.length === 0) delete headers["set-cookie"];
  else headers["set-cookie"] = cookies;
  if (headers.location !== undefined) headers.location = insidePath(headers.location, port) ?? headers.location;
}

function local(origin: string, here: string, port: number): string {
  return origin.replace(/^https?:\/\//, "") === here ? `http://localhost:${port}` : origin;
}

/** An address of the program itself as a path, so that the browser stays at the door; undefined for any other. */
function insidePath(location: string, port: number): string | undefined {
  if (!/^(https?:)?\/\//i.test(location)) return undefined;
  const url = URL.canParse(location, BASE) ? new URL(location, BASE) : null;
  if (url === null || !LOCAL.has(url.hostname) || Number(url.port || 80) !== port) return undefined;
  // Two slashes at the start would name another host.
  return `${url.pathname.replace(/^\/+/, "/")}${url.search}${url.hash}`;
}
