import { hostname, networkInterfaces } from "node:os";
import { canonicalAddress } from "./certificate.ts";

/** Address families of the wildcard addresses. */
const EVERY_ADDRESS: Readonly<Record<string, readonly string[]>> = { "0.0.0.0": ["IPv4"], "::": ["IPv4", "IPv6"] };

/**
 * Returns the names under which other machines reach a listener, preferred for links first: its address, or for a wildcard
 * address the machine's current addresses and its host name.
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

/** A URL cannot carry the zone that a link-local address needs. */
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
