import { spawnSync } from "node:child_process";
import { accessSync, constants, realpathSync } from "node:fs";
import { constants as os } from "node:os";

const PLACES = ["/usr/sbin/service", "/sbin/service", "/usr/bin/service"];
const GUARD = "PATCHBAY_HANDED_OVER";

/** The operating system's own `service` program, or undefined where there is none, or where it is this program. */
export function systemService(
  env: Readonly<Record<string, string | undefined>>,
  { self, places = PLACES }: { self: string | undefined; places?: readonly string[] },
): string | undefined {
  // Called by what it handed over to: what stands at that place is Patchbay itself.
  if (env[GUARD] !== undefined) return undefined;
  return places.find((place) => isProgram(place) && real(place) !== (self === undefined ? undefined : real(self)));
}

/** Runs that program in the place of this one. Answers its exit code. */
export function handOver(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): number {
  const { status, signal, error } = spawnSync(program, [...args], { stdio: "inherit", env: { ...env, [GUARD]: "1" } });
  if (error !== undefined) throw error;
  return status ?? 128 + (signal === null ? 0 : os.signals[signal]);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
