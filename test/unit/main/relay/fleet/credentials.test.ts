import { chmodSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { nkeys } from "@nats-io/transport-node";
import { describe, expect, test } from "vitest";
import { parseCredentials, readCredentials } from "../../../../../main/relay/fleet/credentials.ts";
import { makeCertificate } from "../../../../../main/relay/tls/make-certificate.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const JWT = "eyJ0.eyJq.c2ln";

test.each([
  ["a seed alone", ""],
  ["a JWT too", `-----BEGIN NATS USER JWT-----\n${JWT}\n------END NATS USER JWT------\n`],
])("a broker's challenge is signed with the key of the credentials: %s", (_name, jwt) => {
  for (let round = 0; round < 5; round++) {
    const user = nkeys.createUser();
    const seed = new TextDecoder().decode(user.getSeed());
    const text = `owner: tester\nmember: box\n${jwt}-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`;
    const { member, authenticator } = parseCredentials(text, "box.creds");
    const answer = authenticator(`challenge ${round}`);
    expect(answer).toEqual({ nkey: user.getPublicKey(), sig: expect.any(String), ...(jwt === "" ? {} : { jwt: JWT }) });
    const { sig = "" } = answer as { sig?: string };
    const signature = new Uint8Array(Buffer.from(sig, "base64url"));
    const isValidFor = (challenge: string) =>
      nkeys.fromPublic(member).verify(new TextEncoder().encode(challenge), signature);
    expect([isValidFor(`challenge ${round}`), isValidFor("another challenge")]).toEqual([true, false]);
  }
});

describe("credentials", () => {
  const user = nkeys.createUser();
  const seed = new TextDecoder().decode(user.getSeed());
  const SEED = `-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`;
  const { cert } = makeCertificate(["localhost"]);

  test("name their owner, the relay and its public key, and no certificate where there is none", () => {
    const text = `A comment.\nowner:  ann-1\nmember: box.example_2\n${SEED}`;
    expect(parseCredentials(text, "x.creds")).toMatchObject({
      ...{ owner: "ann-1", name: "box.example_2", member: user.getPublicKey(), ca: undefined },
    });
  });

  test("without a name are those of the machine", () => {
    expect(parseCredentials(`owner: ann\n${SEED}`, "x.creds").name).toBe(hostname().replace(/[^A-Za-z0-9._-]/g, "-"));
  });

  test("hold every certificate, without the text between them", () => {
    const { ca } = parseCredentials(`owner: ann\nmember: box\n${SEED}one:\n${cert}two:\n${cert}`, "x.creds");
    expect(ca).toBe(`${cert.trim()}\n${cert.trim()}\n`);
  });

  const needsOwner =
    '--fleet-creds: x.creds needs a line "owner: NAME" with up to 64 letters, digits, hyphens and underscores.';
  const needsName =
    '--fleet-creds: x.creds: "member:" is followed by up to 64 letters, digits, dots, hyphens and underscores.';
  const noSeed = "--fleet-creds: x.creds holds no seed of a NATS user: make it with `service fleet init`.";
  test.each([
    ["nothing", "", noSeed],
    ["a seed of another kind", `owner: a\n${SEED.replace("SU", "SA")}`, noSeed],
    ["a seed without its end", `owner: a\n-----BEGIN USER NKEY SEED-----\n${seed}\n`, noSeed],
    [
      "a seed with a wrong sum",
      // Not the last letter, of which two bits say nothing.
      `owner: a\nmember: b\n${SEED.replace(seed, `${seed.slice(0, 20)}${seed[20] === "A" ? "B" : "A"}${seed.slice(21)}`)}`,
      "--fleet-creds: the seed in x.creds is not valid.",
    ],
    ["no owner", SEED, needsOwner],
    ["an owner with a dot", `owner: a.b\n${SEED}`, needsOwner],
    ["an owner that is too long", `owner: ${"a".repeat(65)}\n${SEED}`, needsOwner],
    ["a name that begins with a hyphen", `owner: a\nmember: -b\n${SEED}`, needsName],
    ["a name that is too long", `owner: a\nmember: ${"b".repeat(65)}\n${SEED}`, needsName],
    [
      "a broken certificate",
      `owner: a\nmember: b\n${SEED}-----BEGIN CERTIFICATE-----\nxyz\n-----END CERTIFICATE-----\n`,
      "--fleet-creds: the certificate in x.creds is not valid.",
    ],
  ])("with %s are refused with the reason", (_what, text, sentence) => {
    expect(() => parseCredentials(text, "x.creds")).toThrow(sentence);
  });

  test("are read from a file that its user alone can read", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "box.creds");
    expect(() => readCredentials(file)).toThrow(`--fleet-creds: ${file} cannot be read (ENOENT).`);
    writeFileSync(file, `owner: ann\nmember: box\n${SEED}`, { mode: 0o600 });
    expect(readCredentials(file)).toMatchObject({ name: "box", member: user.getPublicKey() });
    for (const mode of [0o640, 0o604, 0o610]) {
      chmodSync(file, mode);
      expect(() => readCredentials(file)).toThrow(
        `--fleet-creds: other users can read ${file}: run \`chmod 600 ${file}\`.`,
      );
    }
  });
});
