import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { connect } from "node:tls";
import { AWAY_AFTER_MS } from "./remote-machine.ts";

/** The certificate that a server presents, verified or not. */
interface PresentedCertificate {
  readonly pem: string;
  /** SHA-256, as the relay prints it: `AB:CD:…`. */
  readonly fingerprint: string;
}

/** Reads the certificate that is presented at an address, and sends nothing else there. Rejects with the system's error. */
export function readPresentedCertificate(url: URL): Promise<PresentedCertificate> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    const socket = connect(
      {
        host,
        port: Number(url.port) || 443,
        // It is read to be compared; no request follows on this connection.
        rejectUnauthorized: false,
        ...(isIP(host) === 0 ? { servername: host } : {}),
      },
      () => {
        const { raw } = socket.getPeerCertificate();
        socket.destroy();
        const certificate = new X509Certificate(raw);
        resolve({ pem: certificate.toString(), fingerprint: certificate.fingerprint256 });
      },
    );
    socket.setTimeout(AWAY_AFTER_MS, () => socket.destroy(new Error(`nothing for ${AWAY_AFTER_MS / 1000} s`)));
    socket.on("error", reject);
  });
}

/** Whether two fingerprints are the same, in any usual spelling: with colons or without, `SHA256:` before it or not. */
export function sameFingerprint(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

/** Whether a text can be the SHA-256 fingerprint of a certificate. */
export function isFingerprint(text: string): boolean {
  return /^[0-9A-F]{64}$/.test(plain(text));
}

function plain(fingerprint: string): string {
  return fingerprint
    .trim()
    .replace(/^SHA-?256[ :=]*/i, "")
    .replaceAll(/[: ]/g, "")
    .toUpperCase();
}
