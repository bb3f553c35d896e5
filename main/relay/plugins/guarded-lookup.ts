import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { addressKind, canonicalAddress } from "./address-kind.ts";

/** Resolves a name to its addresses. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** At least one address of a name must not be fetched. */
export class ForbiddenAddressError extends Error {
  override readonly name = "ForbiddenAddressError";
}

/** The kind that each address of a name must have, or the only address that is connected to. */
export type WantedAddress = "public" | "loopback" | { readonly only: string };

/**
 * Returns a lookup that checks the addresses to which the socket then connects, so that DNS rebinding cannot replace them
 * after the check. Refuses a name if one of its addresses is of the wrong kind, or none is the wanted one.
 */
export function guardedLookup(resolve: Resolve, wanted: WantedAddress): LookupFunction {
  return (host, options, callback) => {
    const answer = (found: readonly LookupAddress[]) => {
      const addresses = allowedOf(found, wanted);
      const [first] = addresses;
      if (first === undefined) {
        callback(new ForbiddenAddressError(`${host} does not lead to ${describe(wanted)}`), "");
      } else if (options.all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    };
    resolve(host).then(answer, (error: NodeJS.ErrnoException) => callback(error, ""));
  };
}

function allowedOf(found: readonly LookupAddress[], wanted: WantedAddress): readonly LookupAddress[] {
  if (typeof wanted === "object") return found.filter(({ address }) => canonicalAddress(address) === wanted.only);
  return found.some(({ address }) => addressKind(address) !== wanted) ? [] : found;
}

function describe(wanted: WantedAddress): string {
  return typeof wanted === "object" ? wanted.only : `${wanted} addresses alone`;
}
