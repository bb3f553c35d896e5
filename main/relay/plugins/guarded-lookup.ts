import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { addressKind } from "./address-kind.ts";

/** The addresses of a name, as the operating system knows them. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** A name leads, with at least one of its addresses, where a fetch must not go. */
export class ForbiddenAddressError extends Error {
  override readonly name = "ForbiddenAddressError";
}

/**
 * A lookup for a socket, which connects to what it answers and to nothing else: nobody can give another address between
 * the check and the use (DNS rebinding). One address of the wrong kind spoils the name.
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
