import { readFileSync, readlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { list, readJson, UUID } from "./adapter-files.ts";

/** The folder of Linux's processes; other systems have none. */
const PROC = "/proc";
/** The folder with the locks of threads. */
const LOCKS = "thread-writer-locks";
/** Threads of a daemon that are looked at, the youngest ones. */
const MOST_THREADS = 100;

const DaemonFile = z.object({
  pid: z.int().positive(),
  processIdentity: z.object({ startTicks: z.number() }).optional().catch(undefined),
});

/** Reads which process is the daemon that keeps threads for the terminals of all; undefined for none. */
export function readDaemon(home: string): z.infer<typeof DaemonFile> | undefined {
  return readJson(join(home, "app-server-daemon", "daemon.pid"), DaemonFile);
}

/** Returns the ids of the threads that have the file of a lock, which a process may have left. */
export function lockedThreads(home: string): string[] {
  return list(join(home, LOCKS)).flatMap(threadOf);
}

/** Returns the ids of the threads that the daemon keeps: on Linux those whose locks it has open. */
export function daemonThreads(home: string): string[] {
  const daemon = readDaemon(home);
  if (daemon === undefined) return [];
  const isLinux = process.platform === "linux";
  const threads = isLinux
    ? openPaths(join(PROC, String(daemon.pid), "fd"))
        .filter((path) => basename(dirname(path)) === LOCKS)
        .flatMap((path) => threadOf(basename(path)))
    : lockedThreads(home);
  return threads.sort().slice(-MOST_THREADS);
}

function threadOf(name: string): string[] {
  const id = UUID.exec(name)?.[0];
  return id === undefined ? [] : [id];
}

/** Returns whether a process keeps the lock of a thread open: Linux only. */
export function holdsLock(pid: number, thread: string): boolean {
  return hasOpen(`${PROC}/${pid}/fd`, [lockOf(thread)]);
}

/**
 * Returns the process of Codex that keeps a thread's lock or its rollout open: Linux only, as elsewhere the open files of
 * all processes are read by a program, which takes seconds.
 *
 * @param daemon - the process that keeps threads for the terminals of all, and does not stand in the way of another one
 */
export function threadHolder(thread: string, daemon: number | undefined, proc = PROC): number | undefined {
  const files = [lockOf(thread), `${thread}.jsonl`];
  const holds = (folder: string) => isCodex(folder) && hasOpen(join(folder, "fd"), files);
  return list(proc)
    .map(Number)
    .find((pid) => pid > 0 && pid !== daemon && holds(join(proc, String(pid))));
}

function lockOf(thread: string): string {
  return join(LOCKS, `${thread}.lock`);
}

/** Reads the name only: there are hundreds of processes. */
function isCodex(folder: string): boolean {
  try {
    return readFileSync(join(folder, "comm"), "utf8").startsWith("codex");
  } catch {
    return false;
  }
}

/** @param ends - of the paths of the files */
function hasOpen(folder: string, ends: readonly string[]): boolean {
  return openPaths(folder).some((path) => ends.some((end) => path.endsWith(end)));
}

function openPaths(folder: string): string[] {
  return list(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))];
    } catch {
      return [];
    }
  });
}
