import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { DownloadError } from "./download-error.mjs";

const BLOCK = 512;

/**
 * Takes one file out of a gzipped tar archive (POSIX ustar), such as an npm package, without holding it in memory.
 * @param {string} archive
 * @param {string} name of the entry, such as `package/README.md`
 * @param {string} target
 */
export async function untarOne(archive, name, target) {
  await pipeline(
    createReadStream(archive, { highWaterMark: 1 << 20 }),
    createGunzip({ chunkSize: 1 << 20 }),
    (blocks) => contentOf(/** @type {AsyncIterable<Buffer>} */ (blocks), name),
    createWriteStream(target),
  );
}

/**
 * @param {AsyncIterable<Buffer>} stream
 * @param {string} wanted
 */
async function* contentOf(stream, wanted) {
  /** @type {Buffer} */
  let pending = Buffer.alloc(0);
  let content = 0;
  let padding = 0;
  let yielding = false;
  let found = false;
  for await (const chunk of stream) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (;;) {
      if (content > 0 && pending.length > 0) {
        const piece = pending.subarray(0, content);
        if (yielding) yield piece;
        content -= piece.length;
        pending = pending.subarray(piece.length);
      } else if (padding > 0 && pending.length > 0) {
        const skipped = Math.min(padding, pending.length);
        padding -= skipped;
        pending = pending.subarray(skipped);
      } else if (content === 0 && padding === 0 && pending.length >= BLOCK) {
        const header = readHeader(pending.subarray(0, BLOCK));
        pending = pending.subarray(BLOCK);
        content = header.size;
        padding = (BLOCK - (content % BLOCK)) % BLOCK;
        yielding = header.name === wanted;
        found ||= yielding;
      } else break;
    }
  }
  if (!found) throw new DownloadError(`the package holds no ${wanted}`);
  if (content > 0) throw new DownloadError("the package is cut off");
}

/** @param {Buffer} block */
function readHeader(block) {
  const text = (/** @type {number} */ from, /** @type {number} */ to) =>
    block.toString("utf8", from, to).replace(/\0.*$/s, "");
  const prefix = text(257, 262) === "ustar" ? text(345, 500) : "";
  return {
    name: prefix === "" ? text(0, 100) : `${prefix}/${text(0, 100)}`,
    size: Number.parseInt(text(124, 136), 8) || 0,
  };
}
