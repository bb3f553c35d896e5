import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { writeAtomically } from "../../system/write-atomically.ts";
import { type Certificate, CertificateError, namesIn, parseCertificate } from "./certificate.ts";

/** A made certificate is replaced when it is good for less than this. */
const RENEW_BEFORE_MS = 30 * 24 * 3600_000;

/**
 * The certificate that Patchbay made for itself and keeps in this file, with its key, for the user alone. A new one is
 * made when there is none, when it is about to expire, and when it lacks one of the names.
 */
export async function storedCertificate(
  file: string,
  names: readonly string[],
  now = new Date(),
): Promise<Certificate> {
  const kept = readKept(file);
  if (kept !== undefined && isGood(kept, names, now)) return kept;
  // Loaded only by a relay that needs it.
  const { makeCertificate } = await import("./make-certificate.ts");
  const { cert, key } = makeCertificate(names, now);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // In one file, so that certificate and key always belong together.
  writeAtomically(file, cert + key);
  const made = parseCertificate(cert, key);
  if (made === undefined) throw new CertificateError("A certificate could not be made: give your own with --tls-cert.");
  return made;
}

function isGood(certificate: Certificate, names: readonly string[], now: Date): boolean {
  const has = new Set(namesIn(certificate));
  const left = Date.parse(certificate.x509.validTo) - now.getTime();
  return left > RENEW_BEFORE_MS && names.every((name) => has.has(name));
}

function readKept(file: string): Certificate | undefined {
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
