/**
 * Whom an address counts as: an IPv4 address as itself, an IPv6 address as its network of 64 bits, because one machine has
 * all of those to choose from.
 */
export function remoteNetwork(address: string): string {
  // A socket for both families calls IPv4 peers so.
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!plain.includes(":")) return plain;
  const [start = [], end = []] = plain.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => "0");
  return `${[...start, ...zeros, ...end].slice(0, 4).join(":")}::/64`;
}
