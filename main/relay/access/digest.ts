import { hash, randomBytes } from "node:crypto";

/** Returns a secret with 256 random bits. The prefix tells people, and scanners for leaked secrets, what it is. */
export function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString("base64url")}`;
}

/** Returns the digest of a secret, which is stored in its place. With 256 random bits a plain SHA-256 is enough. */
export function digestOf(secret: string): string {
  return hash("sha256", secret, "base64url");
}
