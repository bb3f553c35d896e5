import { isAbsolute, resolve } from "node:path";
import type { ParamRow } from "../parse/command-row.ts";
import { usageError } from "../parse/exit-codes.ts";

/** Resolves paths relative to the caller's folder, which the relay does not know; the relay expands `~` itself. */
export function resolvePaths(
  { params }: { readonly params: readonly ParamRow[] },
  given: Readonly<Record<string, unknown>>,
  { cwd, remote }: { readonly cwd: string | undefined; readonly remote: string | undefined },
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(given).map(([name, value]) => {
    const path = params.find((param) => param.name === name && param.kind === "path");
    if (path === undefined || typeof value !== "string" || !isRelative(value)) return [name, value];
    if (remote === undefined) return [name, resolvePath(cwd, value)];
    throw usageError(
      `--${path.word}: ${value} is relative to a folder of this machine: give a full path of ${remote}, or one from ~/.`,
    );
  });
  return Object.fromEntries(entries);
}

function resolvePath(cwd: string | undefined, path: string): string {
  try {
    return resolve(cwd ?? process.cwd(), path);
  } catch {
    throw usageError(`${path} is relative, and the folder that you are in does not exist any more: give a full path.`);
  }
}

/** Whether a path is relative to the caller's folder. */
export function isRelative(path: string): boolean {
  return path !== "" && !isAbsolute(path) && path !== "~" && !path.startsWith("~/");
}
