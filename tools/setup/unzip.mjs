import { createWriteStream } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { openPromise } from "yauzl";
import { DownloadError } from "./download-error.mjs";

const MODE_TYPE = 0o170000;
const MODE_SYMLINK = 0o120000;

/**
 * Unpacks a zip archive with its executable bits and symbolic links. Throws a DownloadError when the archive is damaged or
 * an entry would be written outside the folder.
 * @param {string} archive
 * @param {string} folder
 * @param {(name: string) => string | undefined} rename where an entry goes, relative to `folder`; undefined leaves it out
 */
export async function unzip(archive, folder, rename = (name) => name) {
  try {
    const zip = await openPromise(archive, { lazyEntries: true, autoClose: false });
    try {
      for await (const entry of zip.eachEntry()) {
        const name = rename(entry.fileName);
        if (name !== undefined) await writeEntry(zip, entry, targetIn(folder, name));
      }
    } finally {
      zip.close();
    }
  } catch (cause) {
    if (cause instanceof DownloadError) throw cause;
    throw new DownloadError(`the archive is damaged: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** @param {string} folder @param {string} name */
function targetIn(folder, name) {
  const root = path.resolve(folder);
  const target = path.resolve(root, name);
  if (target === root || target.startsWith(root + path.sep)) return target;
  throw new DownloadError(`the archive contains ${name}, a path outside its folder`);
}

/** @param {import("yauzl").ZipFile} zip @param {import("yauzl").Entry} entry @param {string} target */
async function writeEntry(zip, entry, target) {
  if (entry.fileName.endsWith("/")) {
    await mkdir(target, { recursive: true });
    return;
  }
  await mkdir(path.dirname(target), { recursive: true });
  const content = await zip.openReadStreamPromise(entry);
  const mode = entry.externalFileAttributes >>> 16;
  if ((mode & MODE_TYPE) === MODE_SYMLINK) await symlink(await text(content), target);
  else await pipeline(content, createWriteStream(target, { mode: mode & 0o777 || 0o644 }));
}
