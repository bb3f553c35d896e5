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
