import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";

/** Where a path leads after all links; undefined where there is nothing, or neither a regular file nor a folder. */
export async function realPlace(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    const found = await stat(real);
    return found.isFile() || found.isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a path is a folder or in it, by their names alone. Both are absolute. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  // Absolute: on another drive.
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
