import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute } from "node:path";

/** Returns whether a path is that of a folder in which a program can start. */
export function isFolder(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isAbsolute(path) && statSync(path).isDirectory();
  } catch {
    return false;
  }
}
