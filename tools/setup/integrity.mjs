import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { DownloadError } from "./download-error.mjs";

/**
 * Checks a downloaded file against its pinned digest; throws a DownloadError when it is damaged or not what was pinned.
 * @param {string} file
 * @param {{ algorithm: "sha256" | "sha512", digest: string, encoding: "hex" | "base64" }} expected
 */
export async function checkIntegrity(file, { algorithm, digest, encoding }) {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  const actual = hash.digest(encoding);
  if (actual !== digest) {
    throw new DownloadError(
      `the downloaded file is damaged: its ${algorithm.toUpperCase()} is ${actual}, expected ${digest}`,
    );
  }
}
