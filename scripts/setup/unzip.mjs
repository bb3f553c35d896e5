import { mkdir, open, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { DownloadError } from "./download-error.mjs";

const inflate = promisify(inflateRaw);

const END_RECORD = 0x06054b50;
const END_RECORD_SIZE = 22;
const LONGEST_COMMENT = 0xffff;
const CENTRAL_RECORD = 0x02014b50;
const CENTRAL_RECORD_SIZE = 46;
const LOCAL_RECORD = 0x04034b50;
const LOCAL_RECORD_SIZE = 30;
const STORED = 0;
const DEFLATED = 8;
const MODE_TYPE = 0o170000;
const MODE_SYMLINK = 0o120000;

/**
 * @typedef {object} ZipEntry
 * @property {string} name
 * @property {number} method
 * @property {number} compressedSize
 * @property {number} size
 * @property {number} offset of the local record
 * @property {number} mode Unix mode, 0 when the archive has none
 */

/**
 * Unpacks a zip archive, because a fresh machine need not have `unzip`. Keeps the executable bits and symbolic links;
 * refuses names that would leave the folder, encrypted and zip64 archives. (Format: PKWARE APPNOTE 6.3, §4.3.)
 * @param {string} archive
 * @param {string} folder
 * @param {(name: string) => string | undefined} rename where an entry goes, relative to `folder`; undefined leaves it out
 */
export async function unzip(archive, folder, rename = (name) => name) {
  const file = await open(archive);
  try {
    for (const entry of await readEntries(file)) {
      const name = rename(entry.name);
      if (name === undefined) continue;
      const target = path.resolve(folder, name);
      if (!isInside(folder, target))
        throw new DownloadError(`the archive is not sane: ${entry.name} leads out of its folder`);
      if (entry.name.endsWith("/")) await mkdir(target, { recursive: true });
      else await writeEntry(target, entry, await readContent(file, entry));
    }
  } finally {
    await file.close();
  }
}

/** @param {string} folder @param {string} target */
function isInside(folder, target) {
  return target === path.resolve(folder) || target.startsWith(path.resolve(folder) + path.sep);
}

/** @param {string} target @param {ZipEntry} entry @param {Buffer} content */
async function writeEntry(target, entry, content) {
  await mkdir(path.dirname(target), { recursive: true });
  if ((entry.mode & MODE_TYPE) === MODE_SYMLINK) await symlink(content.toString(), target);
  else await writeFile(target, content, { mode: entry.mode & 0o777 || 0o644 });
}

/**
 * @param {import("node:fs/promises").FileHandle} file
 * @returns {Promise<ZipEntry[]>}
 */
async function readEntries(file) {
  const { size } = await file.stat();
  const tail = await read(file, Math.max(0, size - END_RECORD_SIZE - LONGEST_COMMENT), size);
  const at = findEndRecord(tail);
  const count = tail.readUInt16LE(at + 10);
  const start = tail.readUInt32LE(at + 16);
  if (count === 0xffff || start === 0xffffffff) throw new DownloadError("the archive is a zip64 archive");
  const directory = await read(file, start, start + tail.readUInt32LE(at + 12));
  /** @type {ZipEntry[]} */
  const entries = [];
  for (let offset = 0; entries.length < count; ) {
    if (directory.readUInt32LE(offset) !== CENTRAL_RECORD)
      throw new DownloadError("the archive's directory is damaged");
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((field) => directory.readUInt16LE(offset + field));
    const nameAt = offset + CENTRAL_RECORD_SIZE;
    const nameEnd = nameAt + (nameSize ?? 0);
    entries.push({
      name: directory.toString("utf8", nameAt, nameEnd),
      method: directory.readUInt16LE(offset + 10),
      compressedSize: directory.readUInt32LE(offset + 20),
      size: directory.readUInt32LE(offset + 24),
      offset: directory.readUInt32LE(offset + 42),
      mode: directory.readUInt16LE(offset + 40),
    });
    offset = nameEnd + (extraSize ?? 0) + (commentSize ?? 0);
  }
  return entries;
}

/** @param {Buffer} tail */
function findEndRecord(tail) {
  for (let at = tail.length - END_RECORD_SIZE; at >= 0; at--) {
    if (tail.readUInt32LE(at) === END_RECORD) return at;
  }
  throw new DownloadError("the archive is cut off: it has no end record");
}

/**
 * @param {import("node:fs/promises").FileHandle} file
 * @param {ZipEntry} entry
 */
async function readContent(file, entry) {
  const local = await read(file, entry.offset, entry.offset + LOCAL_RECORD_SIZE);
  if (local.readUInt32LE(0) !== LOCAL_RECORD) throw new DownloadError(`the archive is damaged at ${entry.name}`);
  // The local record's own lengths: its extra field differs from the directory's.
  const start = entry.offset + LOCAL_RECORD_SIZE + local.readUInt16LE(26) + local.readUInt16LE(28);
  const packed = await read(file, start, start + entry.compressedSize);
  const content = entry.method === STORED ? packed : await unpack(packed, entry);
  if (content.length !== entry.size) throw new DownloadError(`the archive is damaged: ${entry.name} has a wrong size`);
  return content;
}

/** @param {Buffer} packed @param {ZipEntry} entry */
async function unpack(packed, entry) {
  if (entry.method !== DEFLATED)
    throw new DownloadError(`${entry.name} is packed by the unknown method ${entry.method}`);
  return inflate(packed).catch((cause) => {
    throw new DownloadError(`the archive is damaged: ${entry.name} cannot be unpacked`, { cause });
  });
}

/**
 * @param {import("node:fs/promises").FileHandle} file
 * @param {number} start
 * @param {number} end
 */
async function read(file, start, end) {
  const buffer = Buffer.alloc(Math.max(0, end - start));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, start + filled);
    if (bytesRead === 0) throw new DownloadError("the archive is cut off");
    filled += bytesRead;
  }
  return buffer;
}
