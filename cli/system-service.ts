import { spawnSync } from "node:child_process";
import { accessSync, constants, realpathSync } from "node:fs";
import { constants as os } from "node:os";

const CANDIDATES = ["/usr/sbin/service", "/sbin/service", "/usr/bin/service"];
const DELEGATED = "PATCHBAY_HANDED_OVER";

/** Returns the operating system's own `service` program; undefined where there is none or it is this program. */
export function findSystemService(
  env: Readonly<Record<string, string | undefined>>,
  { self, places = CANDIDATES }: { self: string | undefined; places?: readonly string[] },
): string | undefined {
  // Set by this program: the file that it ran as the system's program is Patchbay itself.
  if (env[DELEGATED] !== undefined) return undefined;
  return places.find(
    (place) => isProgram(place) && resolveLinks(place) !== (self === undefined ? undefined : resolveLinks(self)),
  );
}

/** Runs the system's program with these arguments. Returns its exit code. */
export function runSystemService(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): number {
  const { status, signal, error } = spawnSync(program, [...args], {
    stdio: "inherit",
    env: { ...env, [DELEGATED]: "1" },
  });
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

function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
