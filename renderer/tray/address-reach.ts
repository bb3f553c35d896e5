/** The people whom an address of the relay reaches. `vpn`: a private network such as Tailscale's. */
type AddressReach = "here" | "network" | "vpn" | "internet" | "name";

/** Ends of names that lead to a machine in the same network only. */
const LOCAL_NAMES = [".local", ".lan", ".home", ".home.arpa", ".internal"] as const;

/** Returns whom an address of the relay reaches, as far as the address itself tells. */
export function addressReach(address: string): AddressReach {
  const { hostname } = new URL(address);
  if (hostname.startsWith("[")) return reachOfIpv6(hostname.slice(1, -1));
  const parts = hostname.split(".").map(Number);
  const [first, second] = parts;
  if (parts.length === 4 && first !== undefined && second !== undefined && parts.every(Number.isInteger)) {
    return reachOfIpv4(first, second);
  }
  if (hostname === "localhost") return "here";
  if (hostname.endsWith(".ts.net")) return "vpn";
  const isLocal = !hostname.includes(".") || LOCAL_NAMES.some((end) => hostname.endsWith(end));
  return isLocal ? "network" : "name";
}

/** Returns the host of an address of the relay with its port, as a person compares it. */
export function hostOf(address: string): string {
  return new URL(address).host;
}

function reachOfIpv4(first: number, second: number): AddressReach {
  if (first === 127) return "here";
  const isPrivate =
    first === 10 ||
    (first === 172 && second >= 16 && second <= 31) ||
    (first === 192 && second === 168) ||
    (first === 169 && second === 254);
  if (isPrivate) return "network";
  // Shared by carriers, and by the VPNs that give each device an address of its own.
  return first === 100 && second >= 64 && second <= 127 ? "vpn" : "internet";
}

function reachOfIpv6(host: string): AddressReach {
  if (host === "::1") return "here";
  // Tailscale's part of the private addresses.
  if (host.startsWith("fd7a:115c:a1e0:")) return "vpn";
  return host.startsWith("fc") || host.startsWith("fd") || host.startsWith("fe80:") ? "network" : "internet";
}
