import { createPrivateKey, sign, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import type { Authenticator } from "@nats-io/transport-node";
import { nkeys } from "@nats-io/transport-node";
import { withoutTrailing } from "../../../core/protocol/without-trailing.ts";
import { FleetError } from "../net/fleet-peer.ts";

/** What a relay proves itself with to the broker, from the file of `--fleet-creds`. */
export interface FleetCredentials {
  /** Whose fleet it is: a token of every subject. */
  readonly owner: string;
  /** Public key of the member, which the broker verifies: `U` and 55 characters. */
  readonly member: string;
  /** Name of the relay in listings and in `X-Service-Relay`. */
  readonly name: string;
  /** PEM of the certificates that the broker's is checked against; undefined for the authorities of the system. */
  readonly ca: string | undefined;
  readonly authenticator: Authenticator;
}

/** A fleet's owner: one token of a subject. */
export const OWNER = /^[A-Za-z0-9_-]{1,64}$/;
/** A relay's name, which stands in a header. */
export const RELAY_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** What precedes the key in the PKCS #8 form of an Ed25519 key (RFC 8410). */
const PKCS8_ED25519 = Buffer.from("302e020100300506032b657004220420", "hex");

const SEED = /^SU[A-Z2-7]{56}$/;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Reads a member's credentials. Throws a FleetError for a file that others can read or that is not complete. */
export function readCredentials(file: string): FleetCredentials {
  return parseCredentials(readPrivately(file), file);
}

/**
 * Parses credentials: a seed of an nkey, with a JWT where the broker's operator issues those, and the lines `owner: NAME`
 * and `member: NAME` before them. Throws a FleetError.
 */
export function parseCredentials(text: string, file: string): FleetCredentials {
  const [seedText = ""] = blocksIn(text, "USER NKEY SEED");
  if (!SEED.test(seedText)) {
    throw new FleetError(`--fleet-creds: ${file} holds no seed of a NATS user: make it with \`service fleet init\`.`);
  }
  const owner = lineOf(text, "owner") ?? "";
  if (!OWNER.test(owner)) {
    throw new FleetError(
      `--fleet-creds: ${file} needs a line "owner: NAME" with up to 64 letters, digits, hyphens and underscores.`,
    );
  }
  const name = lineOf(text, "member") ?? hostname().replace(/[^A-Za-z0-9._-]/g, "-");
  if (!RELAY_NAME.test(name)) {
    throw new FleetError(
      `--fleet-creds: ${file}: "member:" is followed by up to 64 letters, digits, dots, hyphens and underscores.`,
    );
  }
  const member = publicKeyOf(new TextEncoder().encode(seedText), file);
  const jwt = blocksIn(text, "NATS USER JWT").find((block) => JWT.test(block));
  return { owner, name, member, ca: certificatesIn(text, file), authenticator: authenticatorOf(member, seedText, jwt) };
}

/**
 * Signs the broker's challenges with Node's Ed25519. The library has its own in JavaScript, which holds up all other work of
 * the relay for tens of milliseconds at each connection.
 */
function authenticatorOf(nkey: string, seed: string, jwt: string | undefined): Authenticator {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, keyBytesOf(seed)]), format: "der", type: "pkcs8" });
  return (nonce = "") => ({
    ...(jwt === undefined ? {} : { jwt }),
    nkey,
    sig: sign(null, Buffer.from(nonce), key).toString("base64url"),
  });
}

/** Returns the 32 bytes of the key in a seed, which is base32: two bytes before them name the kind, two after them are a checksum. */
function keyBytesOf(seed: string): Buffer {
  const bits = [...seed].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const bytes = bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  return Buffer.from(bytes.slice(2, 34));
}

function readPrivately(file: string): string {
  try {
    const { mode } = statSync(file);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new FleetError(`--fleet-creds: other users can read ${file}: run \`chmod 600 ${file}\`.`);
    }
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof FleetError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new FleetError(`--fleet-creds: ${file} cannot be read (${code ?? "unknown error"}).`);
  }
}

/** Returns what stands between the lines that begin and end a block of this name, for each such block. */
function blocksIn(text: string, name: string): string[] {
  const [, ...after] = text.split(`-----BEGIN ${name}-----`);
  return after.flatMap((rest) => {
    const end = rest.indexOf(`END ${name}-`);
    return end === -1 ? [] : [withoutTrailing(rest.slice(0, end), "-").trim()];
  });
}

function lineOf(text: string, name: string): string | undefined {
  const values = text
    .split("\n")
    .flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1).trim()] : []));
  return values.find((value) => /^\S+$/.test(value));
}

function publicKeyOf(seed: Uint8Array, file: string): string {
  try {
    return nkeys.fromSeed(seed).getPublicKey();
  } catch {
    throw new FleetError(`--fleet-creds: the seed in ${file} is not valid.`);
  }
}

function certificatesIn(text: string, file: string): string | undefined {
  const found = blocksIn(text, "CERTIFICATE").map(
    (block) => `-----BEGIN CERTIFICATE-----\n${block}\n-----END CERTIFICATE-----`,
  );
  if (found.length === 0) return undefined;
  try {
    for (const pem of found) new X509Certificate(pem);
  } catch {
    throw new FleetError(`--fleet-creds: the certificate in ${file} is not valid.`);
  }
  return `${found.join("\n")}\n`;
}
