import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { RemoteError } from "../../core/protocol/errors.ts";
import { isProgram } from "./login-shell.ts";

const MAX_SIDE = 10_000;

/** The program if it can be started; throws `spawn_failed` otherwise. */
export function programOf(program: string): string {
  if (process.platform === "win32" || (isAbsolute(program) && isProgram(program))) return program;
  throw new RemoteError("spawn_failed", `The shell ${program} is not a program; give the full path of one that is.`);
}

/** The folder if it is there; throws `spawn_failed` otherwise. */
export function folderOf(path: string): string {
  try {
    if (isAbsolute(path) && statSync(path).isDirectory()) return path;
  } catch {
    // The sentence below says it.
  }
  throw new RemoteError("spawn_failed", `The folder ${path} does not exist; give the full path of one that does.`);
}

/** A number of columns or rows; throws `invalid_params` for one that no terminal has. */
export function side(value: number, name: string): number {
  if (Number.isInteger(value) && value >= 1 && value <= MAX_SIDE) return value;
  throw new RemoteError("invalid_params", `${name}: expected a whole number from 1 to ${MAX_SIDE}, got ${value}.`);
}
