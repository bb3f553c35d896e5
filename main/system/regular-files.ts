import { closeSync, constants, type Dirent, fstatSync, opendirSync, openSync, readSync, statSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Reads files at untrusted paths: chosen by a repository, a shell's working folder or an agent. Such a path can lead to
 * a pipe without a writer, an endless device, a socket or a folder; none of these may block the event loop or exhaust
 * memory. Links are followed, because users link their settings; the target has to be a regular file.
 */

/** The path leads to something that is not a regular file. */
export class IrregularFileError extends Error {
  readonly code = "EIRREGULAR";

  constructor(path: string) {
    super(`${path} is not a regular file`);
  }
}

/** The path leads to a file that is larger than its reader takes. */
class FileTooLargeError extends Error {
  readonly code = "EFBIG";

  constructor(path: string, limit: number) {
    super(`${path} is larger than ${limit} bytes`);
  }
}

/**
 * Opens a regular file for reading, without waiting for anything.
 * @param follow - false where the path was resolved already: a link in its place is then an error (ELOOP)
 * @returns the file's descriptor, which the caller closes
 * @throws IrregularFileError, or the system's error (`code`)
 */
export function openRegularFile(path: string, { follow = true }: { readonly follow?: boolean } = {}): number {
  // Opening some devices has side effects, so the path is checked first; it may be another file a moment later.
  if (!statSync(path).isFile()) throw new IrregularFileError(path);
  const file = openSync(path, follow ? FLAGS : FLAGS | (constants.O_NOFOLLOW ?? 0));
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new IrregularFileError(path);
}

/**
 * Reads a whole regular file of at most `limit` bytes.
 * @throws IrregularFileError, FileTooLargeError, or the system's error (`code`)
 */
export function readRegularFile(path: string, limit: number): Buffer {
  const file = openRegularFile(path);
  try {
    const { size } = fstatSync(file);
    if (size > limit) throw new FileTooLargeError(path, limit);
    return readStart(file, size);
  } finally {
    closeSync(file);
  }
}

/**
 * As `readRegularFile`, for folders that may be on a slow or hung disk: the event loop does not wait for it.
 * @throws IrregularFileError, FileTooLargeError, or the system's error (`code`)
 */
export async function readRegularFileLater(path: string, limit: number): Promise<Buffer> {
  if (!(await stat(path)).isFile()) throw new IrregularFileError(path);
  const file = await open(path, FLAGS);
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw new IrregularFileError(path);
    if (facts.size > limit) throw new FileTooLargeError(path, limit);
    const buffer = Buffer.allocUnsafe(facts.size);
    const { bytesRead } = await file.read(buffer, 0, facts.size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Reads the first `bytes` bytes of a regular file, or fewer where it is shorter.
 * @throws IrregularFileError, or the system's error (`code`)
 */
export function readRegularFileStart(path: string, bytes: number): Buffer {
  const file = openRegularFile(path);
  try {
    return readStart(file, Math.min(bytes, fstatSync(file).size));
  } finally {
    closeSync(file);
  }
}

/**
 * Lists the names in a folder, the first `limit` of them in the order of the file system.
 * @throws the system's error (`code`)
 */
export function listFolder(path: string, limit: number): string[] {
  return entriesOf(path, limit).map(({ name }) => name);
}

/**
 * Lists the files below a folder, as paths relative to it: at most `limit` entries in all, at most `depth` folders down.
 * Links are listed and not followed. A folder below it that cannot be read is left out.
 * @throws the system's error (`code`) where the folder itself cannot be read
 */
export function listFolderTree(
  path: string,
  { limit, depth }: { readonly limit: number; readonly depth: number },
): string[] {
  const files: string[] = [];
  let left = limit;
  const walk = (folder: string, entries: readonly Dirent[], down: number): void => {
    left -= entries.length;
    for (const entry of entries) {
      const below = join(folder, entry.name);
      if (!entry.isDirectory()) files.push(below);
      else if (down > 0 && left > 0) walk(below, entriesOrNone(join(path, below), left), down - 1);
    }
  };
  walk("", entriesOf(path, limit), depth);
  return files;
}

/** O_NONBLOCK: a pipe is not waited for. O_NOCTTY: a terminal does not become ours. Windows has neither. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Reads the size that the file had when it was checked, not what is appended meanwhile. */
function readStart(file: number, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  return buffer.subarray(0, readSync(file, buffer, 0, bytes, 0));
}

function entriesOf(path: string, limit: number): Dirent[] {
  const folder = opendirSync(path);
  try {
    const entries: Dirent[] = [];
    while (entries.length < limit) {
      const entry = folder.readSync();
      if (entry === null) break;
      entries.push(entry);
    }
    return entries;
  } finally {
    folder.closeSync();
  }
}

function entriesOrNone(path: string, limit: number): Dirent[] {
  try {
    return entriesOf(path, limit);
  } catch {
    return [];
  }
}
