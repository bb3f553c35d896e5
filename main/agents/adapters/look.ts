import { closeSync, constants, openSync, readdirSync, readFileSync, readSync, realpathSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { z } from "zod";
import type { ProcessInfo, Recognition } from "../adapter.ts";

/** Small looks at files that may be missing, unreadable or nonsense: each answers "nothing" then. */

/** A small JSON file (1 MB at most), checked. */
export function readJson<T>(path: string, schema: z.ZodType<T>): T | undefined {
  try {
    if (statSync(path).size > 1024 * 1024) return undefined;
    return schema.safeParse(JSON.parse(readFileSync(path, "utf8"))).data;
  } catch {
    return undefined;
  }
}

/** The first bytes of a regular file as text. */
export function readHead(path: string, bytes: number): string {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const buffer = Buffer.allocUnsafe(bytes);
      return buffer.toString("utf8", 0, readSync(file, buffer, 0, bytes, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}

export function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Paths below a folder, relative to it. */
export function listDeep(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}

export interface FileFacts {
  readonly changedAt: number;
  readonly bornAt: number;
  readonly size: number;
}

export function factsOf(path: string): FileFacts | undefined {
  try {
    const stat = statSync(path);
    return { changedAt: stat.mtimeMs, bornAt: stat.birthtimeMs, size: stat.size };
  } catch {
    return undefined;
  }
}

/** The value of `--name value`, `--name=value` or a short form of it. */
export function argument(argv: readonly string[], ...names: readonly string[]): string | undefined {
  for (const [index, word] of argv.entries()) {
    if (word === "--") return undefined;
    for (const name of names) {
      if (word === name) return argv[index + 1];
      if (word.startsWith(`${name}=`)) return word.slice(name.length + 1);
    }
  }
  return undefined;
}

const RUNTIMES = new Set(["node", "nodejs", "bun", "bun-profile", "electron"]);

export function isRuntime(exe: string): boolean {
  return RUNTIMES.has(basename(exe).replace(/\.exe$/, ""));
}

/**
 * A program by its own name. A script of that name runs in a shell's or an interpreter's program and is not it; a small
 * program of that name may be anything, so it has to show a transcript as well.
 */
export function recogniseProgram(process: ProcessInfo, name: string, ownPath: RegExp): Recognition | undefined {
  const exe = process.exe().replace(/ \(deleted\)$/, "");
  if (ownPath.test(exe)) return "certain";
  const program = basename(exe).replace(/\.exe$/, "");
  if (program === name) return process.exeSize() > 8 * 1024 * 1024 ? "certain" : "likely";
  if (process.comm !== name || !isRuntime(exe)) return undefined;
  // A program that names its own process writes its title over its arguments.
  return basename(process.argv()[0] ?? "") === name ? "certain" : "likely";
}

/** The script that an interpreter runs: as it was named, and where that leads to. */
export function scriptOf(process: ProcessInfo): { readonly named: string; readonly real: string } | undefined {
  if (!isRuntime(process.exe())) return undefined;
  const named = process
    .argv()
    .slice(1)
    .find((word) => !word.startsWith("-"));
  if (named === undefined || named === "") return undefined;
  try {
    return { named, real: realpathSync(resolve(process.cwd() ?? "/", named)) };
  } catch {
    return { named, real: named };
  }
}

export const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
