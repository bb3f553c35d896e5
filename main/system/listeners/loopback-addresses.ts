import { isIPv4, isIPv6 } from "node:net";

/**
 * The loopback addresses of a socket bound like this, most reliable first; none for a socket bound to other addresses
 * only.
 */
export function loopbackAddresses(bound: string): readonly string[] {
  if (bound === "0.0.0.0") return ["127.0.0.1"];
  // lsof prints this for every address of either family.
  if (bound === "*") return ["127.0.0.1", "::1"];
  // One socket for both families: at 127.0.0.1 a more narrowly bound program would answer first.
  if (bound === "::") return ["::1", "127.0.0.1"];
  const plain = bound.replace(/^::ffff:(?=\d+\.)/i, "");
  return plain === "::1" || /^127\.\d+\.\d+\.\d+$/.test(plain) ? [plain] : [];
}

/**
 * Returns the loopback address that a connection to an address arrives at; undefined for one that leads elsewhere. The
 * kernel takes an unspecified address for loopback, and an IPv4-mapped one for the IPv4 address.
 */
export function loopbackBehind(address: string): string | undefined {
  const [bare = ""] = address.split("%");
  const plain = isIPv6(bare) ? shortened(bare) : bare;
  if (plain === "0.0.0.0") return "127.0.0.1";
  if (plain === "::") return "::1";
  return loopbackAddresses(plain)[0];
}

/** Tells whether the host of a URL is this machine, by its name or by a loopback address; an IPv4-mapped one is none. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "[::1]" || (isIPv4(host) && host.startsWith("127."));
}

/** Returns the shortest spelling of an IPv6 address, and of an IPv4-mapped one the IPv4 address. */
function shortened(address: string): string {
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high = "", low = ""] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short) ?? [];
  if (high === "") return short;
  const [one, two] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [one >> 8, one & 255, two >> 8, two & 255].join(".");
}
