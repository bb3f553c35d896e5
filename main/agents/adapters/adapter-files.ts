import { realpathSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { z } from "zod";
import { jsonOrUndefined } from "../../../core/protocol/json-value.ts";
import type { ProcessInfo } from "../../system/processes/process-source.ts";
import {
  listFolder,
  listFolderTree,
  readRegularFile,
  readRegularFileLater,
  readRegularFileStart,
} from "../../system/regular-files.ts";
import type { Recognition, StoredSession } from "./adapter.ts";

/** Small reads of files that may be missing, unreadable or malformed: each returns nothing then. */

const MAX_JSON_BYTES = 1024 * 1024;
/** Further entries of a folder are ignored. */
const MAX_ENTRIES = 20_000;
const MAX_DEPTH = 4;

/** A small JSON file (of at most `limit` bytes, 1 MB by default), checked. */
export function readJson<T>(path: string, schema: z.ZodType<T>, limit = MAX_JSON_BYTES): T | undefined {
  try {
    return schema.safeParse(JSON.parse(readRegularFile(path, limit).toString("utf8"))).data;
  } catch {
    return undefined;
  }
}

/** As `readJson`, for a file in a folder that the event loop must not wait for; of at most `limit` bytes. */
export async function readJsonLater<T>(
  path: string,
  schema: z.ZodType<T>,
  limit = MAX_JSON_BYTES,
): Promise<T | undefined> {
  try {
    return schema.safeParse(JSON.parse((await readRegularFileLater(path, limit)).toString("utf8"))).data;
  } catch {
    return undefined;
  }
}

/** The first bytes of a regular file as text. */
export function readHead(path: string, bytes: number): string {
  try {
    return readRegularFileStart(path, bytes).toString("utf8");
  } catch {
    return "";
  }
}

/** The names in a folder, 20,000 at most. */
export function list(folder: string): readonly string[] {
  try {
    return listFolder(folder, MAX_ENTRIES);
  } catch {
    return [];
  }
}

/** The files below a folder, relative to it: 20,000 entries and four folders down at most. */
export function listDeep(folder: string): readonly string[] {
  try {
    return listFolderTree(folder, { limit: MAX_ENTRIES, depth: MAX_DEPTH });
  } catch {
    return [];
  }
}

/** The key Escape, with which most agents stop their turn. */
export const ESCAPE = "\x1b";

interface FileFacts {
  readonly changedAt: number;
  readonly bornAt: number;
  readonly size: number;
}

/** Facts about a regular file; undefined for anything else. */
export function fileFacts(path: string): FileFacts | undefined {
  try {
    const stat = statSync(path);
    return stat.isFile() ? { changedAt: stat.mtimeMs, bornAt: stat.birthtimeMs, size: stat.size } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a session that is stored in a file of its own; undefined where there is no such file. */
export function storedIn(path: string | undefined, cwd?: string): StoredSession | undefined {
  const facts = path === undefined ? undefined : fileFacts(path);
  if (path === undefined || facts === undefined) return undefined;
  return { path, changedAt: facts.changedAt, ...(cwd !== undefined && cwd !== "" && { cwd }) };
}

/** Returns the folder that the records at the beginning of a transcript name. */
export function cwdIn(head: string): string | undefined {
  const text = /"cwd":\s?("(?:[^"\\]|\\.)*")/.exec(head)?.[1];
  return z.string().optional().catch(undefined).parse(jsonOrUndefined(text));
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

/** The session that a program's arguments name by its id, unless it begins another one from it. A number or a title names none. */
export function namedSession(argv: readonly string[]): string | undefined {
  if (argv.includes("--fork-session")) return undefined;
  const id = argument(argv, "--session-id", "--resume", "-r");
  return id !== undefined && UUID.exec(id)?.[0] === id ? id : undefined;
}

const RUNTIMES = new Set(["node", "nodejs", "bun", "bun-profile", "electron"]);

export function isRuntime(exe: string): boolean {
  return RUNTIMES.has(basename(exe).replace(/\.exe$/, ""));
}

/**
 * Recognizes a program by its name. A script of that name runs in an interpreter and is not recognized; a small program
 * of that name may be anything, so it also has to have a transcript.
 */
export function recogniseProgram(process: ProcessInfo, name: string, ownPath: RegExp): Recognition | undefined {
  const exe = process.exe().replace(/ \(deleted\)$/, "");
  if (ownPath.test(exe)) return "certain";
  const program = basename(exe).replace(/\.exe$/, "");
  if (program === name) return process.exeSize() > 8 * 1024 * 1024 ? "certain" : "likely";
  if (process.comm !== name || !isRuntime(exe)) return undefined;
  // A program that sets its process title overwrites its arguments.
  return basename(process.argv()[0] ?? "") === name ? "certain" : "likely";
}

/** Recognizes Node with a script of a package, or with one of its name, which also has to have a transcript. */
export function recogniseScript(process: ProcessInfo, name: string, ownPath: RegExp): Recognition | undefined {
  const script = scriptOf(process);
  if (script === undefined) return undefined;
  if (ownPath.test(script.named) || ownPath.test(script.real)) return "certain";
  return basename(script.named) === name ? "likely" : undefined;
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
