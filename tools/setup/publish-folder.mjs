import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";

const PART = ".part-";

/**
 * Fills a temporary folder beside `target` and renames it into place only when it is complete: `target` either does not
 * exist or is whole. Remains of interrupted runs are removed first, so call it under the lock of that place.
 * @param {string} target
 * @param {(folder: string) => Promise<void>} fill puts the content into `folder`
 */
export async function publishFolder(target, fill) {
  const parent = path.dirname(target);
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent)) {
    // A program of a killed run may still be writing there; the next run removes the rest.
    if (name.startsWith(PART)) await rm(path.join(parent, name), { recursive: true, force: true }).catch(() => {});
  }
  const part = await mkdtemp(path.join(parent, PART));
  try {
    const folder = path.join(part, "content");
    await mkdir(folder);
    await fill(folder);
    if (await exists(target)) await rm(target, { recursive: true, force: true });
    await rename(folder, target);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/** @param {string} file */
async function exists(file) {
  return stat(file).then(
    () => true,
    () => false,
  );
}
