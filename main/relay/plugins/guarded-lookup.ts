import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { addressKind } from "./address-kind.ts";

/** Resolves a name to its addresses. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** At least one address of a name must not be fetched. */
export class ForbiddenAddressError extends Error {
  override readonly name = "ForbiddenAddressError";
}

/**
 * Returns a lookup that checks the addresses to which the socket then connects, so that DNS rebinding cannot replace them
 * after the check. Refuses a name if one of its addresses is of the wrong kind.
 */
export function guardedLookup(resolve: Resolve, wanted: "public" | "loopback"): LookupFunction {
  return (host, options, callback) => {
    const answer = (addresses: readonly LookupAddress[]) => {
      const [first] = addresses;
      if (first === undefined || addresses.some(({ address }) => addressKind(address) !== wanted)) {
        const kind = wanted === "public" ? "public addresses" : "loopback addresses";
        callback(new ForbiddenAddressError(`${host} does not lead to ${kind} alone`), "");
      } else if (options.all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    };
    resolve(host).then(answer, (error: NodeJS.ErrnoException) => callback(error, ""));
  };
}
