import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

/** A certificate with its private key, as a TLS server needs them. */
export interface Certificate {
  /** PEM, with the chain where there is one. */
  readonly cert: string;
  readonly key: string;
  readonly x509: X509Certificate;
}

/** Reads the current certificate; called repeatedly while the relay runs. */
export type CertificateSource = () => Promise<Certificate>;

/** No usable certificate; the message is for the user. */
export class CertificateError extends Error {
  override readonly name = "CertificateError";
}

/** Reads the user's own certificate. Throws a CertificateError for one that no browser would accept. */
export function readCertificate(files: { readonly cert: string; readonly key: string }, now = new Date()): Certificate {
  const cert = textOf(files.cert, "--tls-cert");
  const key = textOf(files.key, "--tls-key");
  const certificate = parseCertificate(cert, key);
  if (certificate === undefined) {
    throw new CertificateError(
      "--tls-cert and --tls-key: expected PEM files of a certificate and of its unencrypted private key.",
    );
  }
  const { validTo } = certificate.x509;
  if (Date.parse(validTo) > now.getTime()) return certificate;
  throw new CertificateError(`--tls-cert: the certificate expired on ${validTo}: renew it.`);
}

/** Parses PEM of a certificate and its private key; undefined if they do not match. */
export function parseCertificate(cert: string, key: string): Certificate | undefined {
  try {
    const x509 = new X509Certificate(cert);
    return x509.checkPrivateKey(createPrivateKey(key)) ? { cert, key, x509 } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the DNS names and addresses of a certificate, in its order. */
export function namesIn({ x509 }: Pick<Certificate, "x509">): string[] {
  const names = (x509.subjectAltName ?? "").matchAll(/(?:^|, )(DNS|IP Address):([^,"]+)/g);
  return [...names].map(([, kind, name = ""]) => (kind === "DNS" ? name.toLowerCase() : canonicalAddress(name)));
}

/** Returns an IPv6 address as browsers write it, and any other text unchanged. */
export function canonicalAddress(address: string): string {
  return address.includes(":") && URL.canParse(`http://[${address}]`)
    ? new URL(`http://[${address}]`).hostname.slice(1, -1)
    : address;
}

function textOf(file: string, option: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new CertificateError(`${option}: the file ${file} cannot be read.`, { cause });
  }
}
