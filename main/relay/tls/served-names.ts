import { hostname, networkInterfaces } from "node:os";
import { canonicalAddress } from "./certificate.ts";

/** What a listener on every address of the machine is told to listen on. */
const EVERY_ADDRESS: Readonly<Record<string, readonly string[]>> = { "0.0.0.0": ["IPv4"], "::": ["IPv4", "IPv6"] };

/**
 * The names under which others reach a listener on this address, the best for a link first: the address itself, or for a
 * listener on every address those that the machine has now, then its name.
 */
export function servedNames(host: string): string[] {
  const address = canonicalAddress(host);
  const families = EVERY_ADDRESS[address];
  if (families === undefined) return [address.toLowerCase()];
  const addresses = Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ family, internal, address: own }) => families.includes(family) && !internal && !isLinkLocal(own))
    .map(({ address: own }) => canonicalAddress(own));
  return [...new Set([...addresses.toSorted(byFamily), ...machineName()])];
}

/** No link can carry the zone that such an address needs. */
function isLinkLocal(address: string): boolean {
  return /^fe[89ab]/i.test(address);
}

function byFamily(one: string, other: string): number {
  return Number(one.includes(":")) - Number(other.includes(":"));
}

function machineName(): string[] {
  const name = hostname().toLowerCase();
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name) && name !== "localhost" ? [name] : [];
}
