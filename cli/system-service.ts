import { spawnSync } from "node:child_process";
import { accessSync, constants, realpathSync } from "node:fs";
import { constants as os } from "node:os";

const CANDIDATES = ["/usr/sbin/service", "/sbin/service", "/usr/bin/service"];
const DELEGATED = "PATCHBAY_HANDED_OVER";

/** The operating system's own `service` program, or undefined where there is none, or where it is this program. */
export function findSystemService(
  env: Readonly<Record<string, string | undefined>>,
  { self, places = CANDIDATES }: { self: string | undefined; places?: readonly string[] },
): string | undefined {
  // Called by what it handed over to: what stands at that place is Patchbay itself.
  if (env[DELEGATED] !== undefined) return undefined;
  return places.find(
    (place) => isProgram(place) && resolveLinks(place) !== (self === undefined ? undefined : resolveLinks(self)),
  );
}

/** Runs that program in the place of this one. Answers its exit code. */
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
