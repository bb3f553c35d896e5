import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  CertificateError,
  namesIn,
  parseCertificate,
  readCertificate,
} from "../../../../../main/relay/tls/certificate.ts";
import { makeCertificate, VALID_DAYS } from "../../../../../main/relay/tls/make-certificate.ts";
import { describeRemoteAccess } from "../../../../../main/relay/tls/remote-access.ts";
import { storedCertificate } from "../../../../../main/relay/tls/stored-certificate.ts";

const folder = mkdtempSync(join(tmpdir(), "patchbay-tls-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DAY_MS = 24 * 3600_000;
const later = (days: number) => new Date(Date.now() + days * DAY_MS);
const names = ["192.0.2.7", "fd00::2", "box.lan"];

test("a made certificate is for its names alone, for a server alone, and for less than browsers allow", () => {
  const { cert, key } = makeCertificate(names);
  const certificate = parseCertificate(cert, key);
  if (certificate === undefined) throw new Error("what was made cannot be read");
  const { x509 } = certificate;
  expect(namesIn(certificate)).toEqual(names);
  expect(x509.verify(x509.publicKey)).toBe(true);
  expect(x509.ca).toBe(false);
  expect(x509.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
  expect(Date.parse(x509.validTo) - Date.now()).toBeLessThanOrEqual(VALID_DAYS * DAY_MS);
  expect(Date.parse(x509.validFrom)).toBeLessThan(Date.now());

  const { serves, urls, selfSigned, fingerprint } = describeRemoteAccess(
    { host: "192.0.2.7", port: 8443, basePath: "/x" },
    certificate,
  );
  expect({ urls, selfSigned, fingerprint }).toEqual({
    urls: ["https://192.0.2.7:8443/x"],
    selfSigned: true,
    fingerprint: x509.fingerprint256,
  });
  expect(["192.0.2.7", "fd00::2", "FD00:0::2", "box.lan"].map(serves)).toEqual([true, true, true, true]);
  expect(["192.0.2.8", "evil.example", "box.lan.evil.example", "", "Patchbay"].map(serves)).not.toContain(true);
});

test("no two made certificates share key or serial number", () => {
  const [one, other] = [makeCertificate(names), makeCertificate(names)];
  expect(one.key).not.toBe(other.key);
  expect(parseCertificate(one.cert, other.key)).toBeUndefined();
});

test("the kept certificate stays, for the user alone, until it is about to expire or lacks a name", async () => {
  const file = join(folder, "deep", "tls.pem");
  const first = await storedCertificate(file, names);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const again = await storedCertificate(file, names, later(VALID_DAYS - 31));
  expect(again.cert).toBe(first.cert);
  expect((await storedCertificate(file, names.slice(1))).cert).toBe(first.cert);

  const renewed = await storedCertificate(file, names, later(VALID_DAYS - 29));
  expect(renewed.cert).not.toBe(first.cert);
  const moved = await storedCertificate(file, ["198.51.100.1"]);
  expect(namesIn(moved)).toEqual(["198.51.100.1"]);
  expect(readFileSync(file, "utf8")).toContain(moved.cert);

  writeFileSync(file, "damaged");
  expect(namesIn(await storedCertificate(file, ["box.lan"]))).toEqual(["box.lan"]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("an own certificate must be readable, belong to its key, and be good today", () => {
  const { cert, key } = makeCertificate(names);
  const put = (name: string, content: string) => {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  };
  const files = { cert: put("cert.pem", cert), key: put("key.pem", key) };
  expect(namesIn(readCertificate(files))).toEqual(names);
  const wrong = [
    [{ ...files, cert: join(folder, "none.pem") }, "--tls-cert: the file"],
    [{ ...files, key: join(folder, "none.pem") }, "--tls-key: the file"],
    [{ ...files, key: put("other.pem", makeCertificate(names).key) }, "expected PEM files"],
    [{ cert: files.key, key: files.cert }, "expected PEM files"],
  ] as const;
  for (const [given, message] of wrong) {
    expect(() => readCertificate(given)).toThrow(CertificateError);
    expect(() => readCertificate(given)).toThrow(message);
  }
  expect(() => readCertificate(files, later(VALID_DAYS + 1))).toThrow("expired");
});
