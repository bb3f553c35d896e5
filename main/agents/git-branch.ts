import { dirname, join, resolve } from "node:path";
import { readRegularFileLater } from "../system/regular-files.ts";

/** A head is a line. */
const MAX_BYTES = 4096;
const MAX_DEPTH = 50;
const MAX_NAME = 200;

/**
 * Resolves to the branch of the repository that a folder is in, by its files alone: git itself would run what a repository
 * configures. Undefined without a repository, and for a commit that is on no branch.
 */
export async function readGitBranch(folder: string): Promise<string | undefined> {
  let place = folder;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const head = (await textOf(join(place, ".git", "HEAD"))) ?? (await headOfWorktree(place));
    if (head !== undefined) return branchIn(head);
    const above = dirname(place);
    if (above === place) return undefined;
    place = above;
  }
  return undefined;
}

/** In a worktree and a submodule `.git` is a file that names the folder. */
async function headOfWorktree(place: string): Promise<string | undefined> {
  const folder = /^gitdir: (.+)$/m.exec((await textOf(join(place, ".git"))) ?? "")?.[1];
  return folder === undefined ? undefined : textOf(join(resolve(place, folder), "HEAD"));
}

function branchIn(head: string): string | undefined {
  const name = /^ref: refs\/heads\/([^\p{Cc}]+)\n?$/u.exec(head)?.[1];
  return name === undefined || name.length > MAX_NAME ? undefined : name;
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return (await readRegularFileLater(path, MAX_BYTES)).toString("utf8");
  } catch {
    return undefined;
  }
}
