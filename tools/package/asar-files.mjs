import { closeSync, openSync, readSync } from "node:fs";

/** @typedef {{ files?: Record<string, Entry>, size?: number, unpacked?: boolean }} Entry */

/**
 * The files in an asar archive, with their bytes and whether they lie beside it instead. (The archive's head: a size of 4,
 * that of the head twice, that of its JSON text, and the text; each a 32-bit little-endian number.)
 * @param {string} archive
 * @returns {{ path: string, bytes: number, unpacked: boolean }[]}
 */
export function asarFiles(archive) {
  const file = openSync(archive, "r");
  try {
    const sizes = Buffer.alloc(16);
    readSync(file, sizes, 0, 16, 0);
    const text = Buffer.alloc(sizes.readUInt32LE(12));
    readSync(file, text, 0, text.length, 16);
    return filesBelow(JSON.parse(text.toString("utf8")), "");
  } finally {
    closeSync(file);
  }
}

/** @param {Entry} entry @param {string} above @returns {{ path: string, bytes: number, unpacked: boolean }[]} */
function filesBelow(entry, above) {
  return Object.entries(entry.files ?? {}).flatMap(([name, inner]) => {
    const path = above === "" ? name : `${above}/${name}`;
    if (inner.files !== undefined) return filesBelow(inner, path);
    return [{ path, bytes: inner.size ?? 0, unpacked: inner.unpacked === true }];
  });
}
