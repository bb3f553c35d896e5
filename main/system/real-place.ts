import { lstat, readlink, realpath, stat, statfs } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** Most links on the way, as the kernel counts them. */
const MOST_LINKS = 40;
/** Folders whose content depends on the process that looks. */
const OF_PROCESSES = ["/proc", "/dev/fd"];
/** Type of the file system of processes (statfs(2)), wherever it is mounted. */
const PROC_SUPER_MAGIC = 0x9fa0;

/**
 * Returns where a path leads after all links. Undefined where there is nothing, or neither a regular file nor a folder, and
 * where any step leads through a folder of processes: `/proc/self/cwd` is another place for every process that follows it.
 */
export async function realPlace(path: string): Promise<string | undefined> {
  try {
    const real =
      process.platform === "win32" ? await realpath(path) : await followLinks(isAbsolute(path) ? path : resolve(path));
    if (real === undefined) return undefined;
    const found = await stat(real);
    return found.isFile() || found.isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

/** Resolves a path as the kernel does, link by link; undefined where a step is a process's own. */
async function followLinks(path: string): Promise<string | undefined> {
  const names = path.split(sep);
  let at: string = sep;
  let links = 0;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (name === "" || name === ".") continue;
    const next = name === ".." ? dirname(at) : join(at, name);
    if (OF_PROCESSES.some((folder) => isWithin(next, folder))) return undefined;
    if (!(await lstat(next)).isSymbolicLink()) {
      at = next;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS || (await statfs(at)).type === PROC_SUPER_MAGIC) return undefined;
    const target = await readlink(next);
    if (isAbsolute(target)) at = sep;
    names.unshift(...target.split(sep));
  }
  return at;
}

/** Whether a path is a folder or in it, by their names alone. Both are absolute. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  // Absolute: on another drive.
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
