import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import { AsnConvert, OctetString } from "@peculiar/asn1-schema";
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_kp_serverAuth,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from "@peculiar/asn1-x509";

const ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
const COMMON_NAME = "2.5.4.3";
const DAY_MS = 24 * 3600_000;

/** Validity of a created certificate in days; browsers accept at most 398. */
export const VALID_DAYS = 365;

interface CertificateOptions {
  readonly days?: number;
  /**
   * The certificate may sign others. Electron's TLS (BoringSSL) accepts a self-signed certificate as the `ca` of a
   * connection only then; Node's (OpenSSL) accepts any. For one that nothing else than its own connection trusts.
   */
  readonly isAuthority?: boolean;
}

/**
 * Creates a self-signed certificate (RFC 5280, P-256) of a TLS server with these DNS names and addresses. Unless it is an
 * authority it cannot sign other certificates, so trusting it trusts this server only.
 */
export function makeCertificate(
  names: readonly string[],
  now = new Date(),
  { days = VALID_DAYS, isAuthority = false }: CertificateOptions = {},
): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
  const self = new Name([
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({ type: COMMON_NAME, value: new AttributeValue({ utf8String: "Patchbay" }) }),
    ]),
  ]);
  const usage = KeyUsageFlags.digitalSignature | (isAuthority ? KeyUsageFlags.keyCertSign : 0);
  const content = new TBSCertificate({
    version: Version.v3,
    serialNumber: serialNumber(),
    signature: algorithm,
    issuer: self,
    subject: self,
    // One hour ago, for clients whose clock is behind.
    validity: new Validity({
      notBefore: new Date(now.getTime() - 3600_000),
      notAfter: new Date(now.getTime() + days * DAY_MS),
    }),
    subjectPublicKeyInfo: AsnConvert.parse(publicKey.export({ type: "spki", format: "der" }), SubjectPublicKeyInfo),
    extensions: new Extensions([
      extension(id_ce_subjectAltName, new SubjectAlternativeName(names.map(generalName)), false),
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: isAuthority }), true),
      extension(id_ce_keyUsage, new KeyUsage(usage), true),
      extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth]), false),
    ]),
  });
  const signature = sign("sha256", Buffer.from(AsnConvert.serialize(content)), privateKey);
  const certificate = new Certificate({
    tbsCertificate: content,
    signatureAlgorithm: algorithm,
    signatureValue: arrayBufferOf(signature),
  });
  return {
    cert: pem("CERTIFICATE", Buffer.from(AsnConvert.serialize(certificate))),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function extension(extnID: string, value: object, critical: boolean): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

function generalName(name: string): GeneralName {
  return new GeneralName(isIP(name) === 0 ? { dNSName: name } : { iPAddress: name });
}

/** Returns 16 random bytes, positive and without a leading zero, as DER requires. */
function serialNumber(): ArrayBuffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return arrayBufferOf(bytes);
}

function arrayBufferOf(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
