import { addressKind, literalAddress } from "../plugins/address-kind.ts";
import type { WantedAddress } from "../plugins/guarded-lookup.ts";

/**
 * Returns why a hook may not send to a URL, as the end of a sentence; undefined if it may. Does not resolve names.
 *
 * @param address the address that the hook's owner has named, in its canonical form
 */
export function hookTargetError(url: URL, address: string | undefined): string | undefined {
  if (url.username !== "" || url.password !== "") return "expected a URL without a user name and password";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "expected an https URL";
  // Plain text may cross a network that the owner has named, and no other.
  const isOwnNetwork = address !== undefined && addressKind(address) !== "public";
  if (url.protocol === "http:" && !isOwnNetwork) {
    return "expected https; http only with `address`, for an address of this machine or of a private network";
  }
  // A socket calls no lookup for a literal address, so it is checked here.
  const literal = literalAddress(url.hostname);
  if (literal === undefined) return undefined;
  if (address !== undefined) return literal === address ? undefined : `expected the named address ${address}`;
  if (addressKind(literal) === "public") return undefined;
  return "expected a public address; name one of this machine or of a private network in `address`";
}

/** Returns what a hook's name must lead to when it is connected to. */
export function wantedOf(address: string | undefined): WantedAddress {
  return address === undefined ? "public" : { only: address };
}
