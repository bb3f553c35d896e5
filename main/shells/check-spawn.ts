import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { RemoteError } from "../../core/protocol/errors.ts";
import { isProgram } from "./integration/login-shell.ts";

const MAX_SIZE = 10_000;

/** Returns the program if it can be started; throws `spawn_failed` otherwise. */
export function checkedProgram(program: string): string {
  if (process.platform === "win32" || (isAbsolute(program) && isProgram(program))) return program;
  throw new RemoteError("spawn_failed", `The shell ${program} is not a program; give the full path of one that is.`);
}

/**
 * Returns the folder to start in: `cwd`, as a full path or from `~`; default: the home folder. With `nearest`, a
 * missing folder is replaced by its nearest existing parent, or the home folder. Throws `spawn_failed`.
 */
export function startFolder({
  cwd = "~",
  nearest = false,
}: {
  cwd?: string | undefined;
  nearest?: boolean | undefined;
}): string {
  const path = cwd === "~" || cwd.startsWith("~/") ? join(homedir(), cwd.slice(2)) : cwd;
  const reason = folderError(path);
  if (reason === undefined) return path;
  if (nearest) return nearestFolder(path);
  throw new RemoteError("spawn_failed", reason);
}

/** Explains why a shell cannot start in a folder; undefined when it can. */
function folderError(path: string): string | undefined {
  if (!isAbsolute(path)) return `The folder ${path} is relative, and to what is not known here: give its full path.`;
  try {
    if (!statSync(path).isDirectory()) return `${path} is not a folder: give the full path of one.`;
    accessSync(path, constants.X_OK);
    return undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EACCES" || code === "EPERM") return `The folder ${path} may not be entered: give another.`;
    if (code === "ENOTDIR") return `The folder ${path} would lie in a file: give the full path of one that exists.`;
    return `The folder ${path} does not exist; give the full path of one that does.`;
  }
}

/** Linux appends this to the path of a deleted working folder. */
const DELETED = / \(deleted\)$/;

function nearestFolder(path: string): string {
  const home = homedir();
  if (!isAbsolute(path)) return home;
  let folder = path.replace(DELETED, "");
  while (folderError(folder) !== undefined && dirname(folder) !== folder) folder = dirname(folder);
  // The root is no useful place to continue work.
  return dirname(folder) === folder ? home : folder;
}

/** Returns a valid number of columns or rows; throws `invalid_params` otherwise. */
export function checkedSize(value: number, name: string): number {
  if (Number.isInteger(value) && value >= 1 && value <= MAX_SIZE) return value;
  throw new RemoteError("invalid_params", `${name}: expected a whole number from 1 to ${MAX_SIZE}, got ${value}.`);
}
