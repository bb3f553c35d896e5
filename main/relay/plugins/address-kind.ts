import { BlockList, isIP } from "node:net";

/** `public` addresses may be fetched, `loopback` only if the user named them, `closed` never. */
type AddressKind = "public" | "loopback" | "closed";

/** Returns the kind of an IP address. Any other text is `closed`. */
export function addressKind(address: string): AddressKind {
  const version = isIP(address);
  if (version === 0) return "closed";
  const family = version === 6 ? "ipv6" : "ipv4";
  // BlockList treats an IPv4-mapped address as IPv4. No public server has one, so it is refused.
  if (family === "ipv6" && mapped.check(address, family)) return "closed";
  if (loopback.check(address, family)) return "loopback";
  if (special.check(address, family)) return "closed";
  // All public IPv6 addresses are in one block; others are local, multicast, translated or unassigned.
  return family === "ipv4" || globalUnicast.check(address, family) ? "public" : "closed";
}

/** Returns the kind of address that a URL's host must resolve to: `loopback` for this machine, else `public`. */
export function expectedKind(host: string): "public" | "loopback" {
  return host === "localhost" || addressKind(withoutBrackets(host)) === "loopback" ? "loopback" : "public";
}

/** Returns the IP address that a URL's host is; undefined for a name. */
export function literalAddress(host: string): string | undefined {
  const bare = withoutBrackets(host);
  return isIP(bare) === 0 ? undefined : bare;
}

/** Returns an IP address in the form in which a URL has it, so that two spellings of one compare equal. */
export function canonicalAddress(address: string): string {
  const host = isIP(address) === 6 ? `[${address}]` : address;
  return URL.canParse(`http://${host}`) ? withoutBrackets(new URL(`http://${host}`).hostname) : address;
}

/** Removes the brackets of an IPv6 address in a URL. */
function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}

const mapped = listOf("::ffff:0:0/96");
const loopback = listOf("127.0.0.0/8", "::1/128");
const globalUnicast = listOf("2000::/3");

/** IANA's special-purpose registries, IPv4 whole and IPv6 as far as it lies in 2000::/3, with multicast and reserved. */
const special = listOf(
  "0.0.0.0/8", // this network, and the unspecified address
  "10.0.0.0/8", // private
  "100.64.0.0/10", // behind a carrier's NAT
  "169.254.0.0/16", // link-local, where clouds keep their metadata
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // 6to4 relays, withdrawn
  "192.168.0.0/16", // private
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
  "2001::/23", // protocol assignments; Teredo carries an IPv4 address
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4 carries an IPv4 address
  "3fff::/20", // documentation
);

function listOf(...ranges: string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits] = range.split("/");
    list.addSubnet(network, Number(bits), network.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}
