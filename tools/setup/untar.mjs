import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { list } from "tar";
import { DownloadError } from "./download-error.mjs";

/**
 * Extracts one file from a gzipped tar archive, such as an npm package, without holding it in memory.
 * @param {string} archive
 * @param {string} name of the entry, such as `package/package.json`
 * @param {string} target
 */
export async function untarOne(archive, name, target) {
  /** @type {Promise<void> | undefined} */
  let written;
  // An entry of a broken archive never ends by itself.
  const broken = new AbortController();
  try {
    await list({
      file: archive,
      strict: true,
      onReadEntry(entry) {
        if (entry.path === name) written = pipeline(entry, createWriteStream(target), { signal: broken.signal });
      },
    });
  } catch (error) {
    broken.abort(error);
    // Nothing is still being written when the caller hears of it.
    await written?.catch(() => undefined);
    throw error;
  }
  if (written === undefined) throw new DownloadError(`the package contains no ${name}`);
  await written;
}
