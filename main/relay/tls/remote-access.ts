import { isIP } from "node:net";
import { type Certificate, canonicalAddress, namesIn } from "./certificate.ts";
import { servedNames } from "./served-names.ts";

/** How other machines reach the relay: the addresses and certificate of its TLS listener. */
export interface RemoteAccess {
  /** Base addresses, preferred for links first. */
  readonly urls: readonly string[];
  /** SHA-256 of the certificate, as browsers show it. */
  readonly fingerprint: string;
  /** Whether browsers warn at the first visit. */
  readonly selfSigned: boolean;
  /** Returns whether the certificate covers this host (without port and brackets). */
  serves(host: string): boolean;
}

/** Describes a listener on an address with a certificate. */
export function describeRemoteAccess(
  address: { readonly host: string; readonly port: number; readonly basePath: string },
  certificate: Certificate,
): RemoteAccess {
  const { x509 } = certificate;
  const selfSigned = x509.issuer === x509.subject;
  const certified = namesIn(certificate).filter((name) => !name.startsWith("*"));
  // With a certificate of an authority, only its own names open without a warning.
  const best = servedNames(address.host).filter((name) => certified.includes(name));
  const names = selfSigned ? best : [...best, ...certified.filter((name) => !best.includes(name))];
  return {
    urls: (names.length === 0 ? servedNames(address.host) : names).map(
      (name) => `https://${name.includes(":") ? `[${name}]` : name}:${address.port}${address.basePath}`,
    ),
    fingerprint: x509.fingerprint256,
    selfSigned,
    serves: (host) =>
      isIP(host) === 0 ? x509.checkHost(host) !== undefined : x509.checkIP(canonicalAddress(host)) !== undefined,
  };
}
