import { isIP } from "node:net";
import { type Certificate, canonicalAddress, namesIn } from "./certificate.ts";
import { servedNames } from "./served-names.ts";

/** The relay as it is reached from other machines: its TLS listener's names. */
export interface RemoteAccess {
  /** Base addresses, the best for a link first. */
  readonly urls: readonly string[];
  /** SHA-256 of the certificate, as browsers show it. */
  readonly fingerprint: string;
  /** Whether the certificate vouches for itself, so that browsers warn at the first visit. */
  readonly selfSigned: boolean;
  /** Whether a request may name this host (without port and brackets): it must be one that the certificate is for. */
  serves(host: string): boolean;
}

/** What a listener on this address is called, with this certificate. */
export function describeRemoteAccess(
  door: { readonly host: string; readonly port: number; readonly basePath: string },
  certificate: Certificate,
): RemoteAccess {
  const { x509 } = certificate;
  const selfSigned = x509.issuer === x509.subject;
  const certified = namesIn(certificate).filter((name) => !name.startsWith("*"));
  // With a certificate from elsewhere only its own names open without a warning.
  const best = servedNames(door.host).filter((name) => certified.includes(name));
  const names = selfSigned ? best : [...best, ...certified.filter((name) => !best.includes(name))];
  return {
    urls: (names.length === 0 ? servedNames(door.host) : names).map(
      (name) => `https://${name.includes(":") ? `[${name}]` : name}:${door.port}${door.basePath}`,
    ),
    fingerprint: x509.fingerprint256,
    selfSigned,
    serves: (host) =>
      isIP(host) === 0 ? x509.checkHost(host) !== undefined : x509.checkIP(canonicalAddress(host)) !== undefined,
  };
}
