import { closeSync, readdirSync, readlinkSync } from "node:fs";

/** Targets that are unique in the whole system: two handles with the same target are the same file. */
const UNIQUE = /^(socket:|pipe:|\/dev\/shm\/)/;
const FIRST_AFTER_STDIO = 3;

/**
 * Closes the handles inherited from the parent, except stdin, stdout and stderr. Chromium does not mark its handles
 * close-on-exec, and while its sockets stay open, the pages and the GPU process of a killed app keep waiting. Only
 * Linux passes such handles on; this does nothing elsewhere, or when the parent has ended.
 */
export function closeInheritedHandles(parent: number = process.ppid): void {
  if (process.platform !== "linux") return;
  const theirs = handlesOf(parent);
  for (const [handle, target] of handlesOf("self")) {
    if (handle >= FIRST_AFTER_STDIO && UNIQUE.test(target) && theirs.get(handle) === target) closeSync(handle);
  }
}

/** The targets of a process's open handles, by number. */
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
