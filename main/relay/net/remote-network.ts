/**
 * Returns the network that an address counts for: an IPv4 address itself, or the 64-bit network of an IPv6 address, whose
 * addresses one machine can all use.
 */
export function remoteNetwork(address: string): string {
  // A dual-stack socket maps IPv4 addresses.
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!plain.includes(":")) return plain;
  const [start = [], end = []] = plain.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => "0");
  return `${[...start, ...zeros, ...end].slice(0, 4).join(":")}::/64`;
}
