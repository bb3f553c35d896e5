import { createHash, randomBytes } from "node:crypto";

/** A secret with 256 random bits; the prefix tells people, and scanners for leaked secrets, what it is. */
export function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString("base64url")}`;
}

/** What is kept of a secret. With 256 random bits a plain SHA-256 can be neither reversed nor guessed. */
export function digestOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
