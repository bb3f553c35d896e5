import { networkInterfaces } from "node:os";

/** The IPv4 addresses of this machine that other machines could use. */
export function otherAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4")
    .map(({ address }) => address);
}

/** The first of them. A machine without one cannot run what tests access from other machines, and says so. */
export function otherAddress(): string {
  const [address] = otherAddresses();
  if (address === undefined) {
    throw new Error(
      "This test needs a network address besides loopback: connect a network, or add one to an interface.",
    );
  }
  return address;
}
