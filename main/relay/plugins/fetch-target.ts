import { RemoteError } from "../../../core/protocol/errors.ts";
import { addressKind, expectedKind, literalAddress } from "./address-kind.ts";

const LONGEST_URL = 2048;

/** Returns why a URL may not be fetched, as the end of a sentence; undefined if it may. Does not resolve names. */
export function addressError(url: URL): string | undefined {
  const wanted = expectedKind(url.hostname);
  if (url.href.length > LONGEST_URL) return `expected an address of at most ${LONGEST_URL} characters`;
  if (url.protocol !== "https:" && !(url.protocol === "http:" && wanted === "loopback")) {
    return "expected https, or http on a loopback host such as localhost";
  }
  if (url.username !== "" || url.password !== "") return "expected an address without a user name and password";
  // A socket calls no lookup for a literal address, so it is checked here.
  const literal = literalAddress(url.hostname);
  if (literal !== undefined && addressKind(literal) !== wanted) {
    return "expected a public or a loopback address, not one of a private or special network";
  }
  return undefined;
}

/**
 * Returns the target of a redirect. Throws `fetch_failed` if it may not be fetched, leads from https to http, or from
 * another host to this machine.
 */
export function redirectTarget(from: URL, location: string | undefined): URL {
  const to = URL.canParse(location ?? "", from.href) && location !== undefined ? new URL(location, from) : undefined;
  if (to === undefined) throw refused(from, "it has no valid address to go on to");
  const why = addressError(to);
  if (why !== undefined) throw refused(from, why);
  if (from.protocol === "https:" && to.protocol !== "https:") throw refused(from, "it leads from https to http");
  if (expectedKind(from.hostname) === "public" && expectedKind(to.hostname) === "loopback") {
    throw refused(from, "it leads from outside to this machine");
  }
  return to;
}

function refused(from: URL, why: string): RemoteError {
  return new RemoteError("fetch_failed", `The redirect of ${from.origin} cannot be followed: ${why}.`);
}
