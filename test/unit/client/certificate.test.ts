import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { isFingerprint, readPresentedCertificate, sameFingerprint } from "../../../client/certificate.ts";
import { makeCertificate } from "../../../main/relay/tls/make-certificate.ts";
import { freePort } from "../../support/free-port.ts";

const hex = "0123456789abcdef".repeat(4);
const colons = (hex.match(/../g) ?? []).join(":");

test("the certificate that is presented is read, also one that nobody vouches for", async () => {
  const { cert, key } = makeCertificate(["localhost"]);
  const server = createServer({ cert, key }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const known = new X509Certificate(cert);
  for (const host of ["127.0.0.1", "localhost"])
    expect(await readPresentedCertificate(new URL(`https://${host}:${port}`))).toEqual({
      pem: known.toString(),
      fingerprint: known.fingerprint256,
    });
});

test("where nothing listens, the system's error is told", async () => {
  const url = new URL(`https://127.0.0.1:${await freePort()}`);
  await expect(readPresentedCertificate(url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

describe("a fingerprint", () => {
  test.each([hex, colons, colons.toUpperCase(), ` ${hex} `, `SHA256:${hex}`, `sha-256=${colons}`, `SHA256 : ${hex}`])(
    "is the same as %j",
    (text) => {
      expect(sameFingerprint(hex, text)).toBe(true);
      expect(isFingerprint(text)).toBe(true);
    },
  );

  test.each(["", hex.slice(1), `${hex}0`, `${hex.slice(1)}g`, `MD5:${hex}`])(
    "is another one than %j, which is none",
    (text) => {
      expect(sameFingerprint(hex, text)).toBe(false);
      expect(isFingerprint(text)).toBe(false);
    },
  );
});
