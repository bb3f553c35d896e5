import { closeSync, readdirSync, readlinkSync } from "node:fs";

/** Handles of this kind have a name of their own in the whole system, so that two alike are the same one. */
const UNIQUE = /^(socket:|pipe:|\/dev\/shm\/)/;
const FIRST_AFTER_STDIO = 3;

/**
 * Closes what this process has from its parent besides stdin, stdout and stderr. Chromium does not mark its handles as its
 * own, and as long as somebody has its sockets open, a killed app's pages and GPU process wait for it. Only Linux passes
 * handles on that way; nothing happens elsewhere, or when the parent has gone.
 */
export function closeInheritedHandles(parent: number = process.ppid): void {
  if (process.platform !== "linux") return;
  const theirs = handlesOf(parent);
  for (const [handle, target] of handlesOf("self")) {
    if (handle >= FIRST_AFTER_STDIO && UNIQUE.test(target) && theirs.get(handle) === target) closeSync(handle);
  }
}

/** What a process has open, by its number. */
function handlesOf(process: number | "self"): Map<number, string> {
  const folder = `/proc/${process}/fd`;
  return new Map(
    entries(folder).flatMap((name) => {
      const target = targetOf(`${folder}/${name}`);
      return target === undefined ? [] : [[Number(name), target]];
    }),
  );
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}
