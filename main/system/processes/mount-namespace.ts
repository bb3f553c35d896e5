import { lstatSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

/** A mount as one namespace has it (proc_pid_mountinfo(5)). */
interface Mount {
  readonly device: string;
  /** The folder of the file system that is mounted. */
  readonly root: string;
  readonly point: string;
}

const MAX_LINKS = 40;
/** Mounts of one file system that are tried. */
const MAX_CANDIDATES = 64;

/** Whether a process sees other files than this one: by a mount namespace or a root folder of its own. */
export function hasOwnFiles(procRoot: string, pid: number): boolean {
  try {
    const own = readlinkSync(`${procRoot}/self/ns/mnt`);
    return readlinkSync(`${procRoot}/${pid}/ns/mnt`) !== own || readlinkSync(`${procRoot}/${pid}/root`) !== "/";
  } catch {
    // Not ours to inspect, or another system's /proc.
    return false;
  }
}

/**
 * Finds where a folder of a process with files of its own lies for this process: on the same file system, at the place
 * where that is mounted here. The result has no links in it, and is the same folder by device and inode: a link in the
 * process's files leads to another of its files, never to one of ours.
 * @returns undefined where there is no such folder, or its file system is not mounted here
 */
export function folderHere(procRoot: string, pid: number, path: string): string | undefined {
  try {
    const within = resolveWithin(`${procRoot}/${pid}/root`, path);
    if (within === undefined) return undefined;
    const folder = statSync(`${procRoot}/${pid}/root${within}`);
    // Of several mounts at one place the last one counts; sorting keeps their order.
    const above = mounts(procRoot, String(pid)).filter(({ point }) => isBelow(within, point));
    const deepest = above.sort((one, other) => one.point.length - other.point.length).at(-1);
    if (deepest === undefined) return undefined;
    const inFileSystem = join(deepest.root, within.slice(deepest.point === "/" ? 0 : deepest.point.length));
    return mounts(procRoot, "self")
      .filter(({ device, root }) => device === deepest.device && isBelow(inFileSystem, root))
      .slice(-MAX_CANDIDATES)
      .map(({ root, point }) => join(point, inFileSystem.slice(root === "/" ? 0 : root.length)))
      .find((candidate) => isSameFolder(candidate, folder));
  } catch {
    return undefined;
  }
}

/**
 * Resolves a path as a process with that root does, links included, without leaving the root: each step is looked at by
 * itself, and a link is followed from the root.
 */
function resolveWithin(root: string, path: string): string | undefined {
  let steps = path.split("/").filter(isStep);
  let resolved: string[] = [];
  let links = 0;
  while (steps.length > 0) {
    const [step = "", ...rest] = steps;
    steps = rest;
    if (step === "..") {
      resolved = resolved.slice(0, -1);
      continue;
    }
    const place = `${root}/${[...resolved, step].join("/")}`;
    if (!lstatSync(place).isSymbolicLink()) {
      resolved = [...resolved, step];
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return undefined;
    const target = readlinkSync(place);
    if (target.startsWith("/")) resolved = [];
    steps = [...target.split("/").filter(isStep), ...steps];
  }
  return `/${resolved.join("/")}`;
}

function isStep(step: string): boolean {
  return step !== "" && step !== ".";
}

function isSameFolder(candidate: string, folder: Stats): boolean {
  try {
    if (realpathSync(candidate) !== candidate) return false;
    const { dev, ino } = lstatSync(candidate);
    return folder.isDirectory() && dev === folder.dev && ino === folder.ino;
  } catch {
    return false;
  }
}

function isBelow(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}

function mounts(procRoot: string, pid: string): Mount[] {
  const lines = readFileSync(`${procRoot}/${pid}/mountinfo`, "utf8").split("\n");
  return lines.flatMap((line) => {
    const [, , device, root, point] = line.split(" ");
    if (device === undefined || root === undefined || point === undefined) return [];
    return [{ device, root: unescaped(root), point: unescaped(point) }];
  });
}

/** Spaces, tabs, newlines and backslashes stand as octal numbers. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
