import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { writeAtomically } from "../../system/write-atomically.ts";
import { type Certificate, CertificateError, namesIn, parseCertificate } from "./certificate.ts";

/** A stored certificate is replaced when it expires within this time. */
const RENEW_BEFORE_MS = 30 * 24 * 3600_000;

/**
 * Returns the self-signed certificate that is stored in this file with its key, readable by the user only. Creates a new
 * one if there is none, if it expires soon, or if it lacks one of the names.
 */
export async function storedCertificate(
  file: string,
  names: readonly string[],
  now = new Date(),
): Promise<Certificate> {
  const stored = readStored(file);
  if (stored !== undefined && isUsable(stored, names, now)) return stored;
  // Imported on demand: few relays need it.
  const { makeCertificate } = await import("./make-certificate.ts");
  const { cert, key } = makeCertificate(names, now);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // One file, so that certificate and key always match.
  writeAtomically(file, cert + key);
  const made = parseCertificate(cert, key);
  if (made === undefined) throw new CertificateError("A certificate could not be made: give your own with --tls-cert.");
  return made;
}

function isUsable(certificate: Certificate, names: readonly string[], now: Date): boolean {
  const has = new Set(namesIn(certificate));
  const left = Date.parse(certificate.x509.validTo) - now.getTime();
  return left > RENEW_BEFORE_MS && names.every((name) => has.has(name));
}

function readStored(file: string): Certificate | undefined {
  try {
    const content = readFileSync(file, "utf8");
    // A copy or a restored backup may have lost the mode.
    chmodSync(file, 0o600);
    const end = content.indexOf("-----BEGIN PRIVATE KEY-----");
    return parseCertificate(content.slice(0, end), content.slice(end));
  } catch {
    return undefined;
  }
}
