import { dirname, isAbsolute, join, resolve } from "node:path";
import { Queue } from "./in-turns.ts";
import { readRegularFileLater } from "./regular-files.ts";
import { withDeadline } from "./with-deadline.ts";

/** Folders above that are looked through for a repository. */
const MOST_FOLDERS = 64;
/** `HEAD`, and the file that stands for `.git` in a worktree, have one line. */
const MOST_BYTES = 8192;
const MOST_MS = 200;
/** Longest name that is taken. */
const MAX_BRANCH = 250;

const turns = new Queue();

/**
 * Reads which branch of git is checked out in a folder, from `HEAD` alone: git itself would run what a repository configures. Undefined outside of repositories, for a commit
 * without a branch, and where the disk does not answer soon: a hung one keeps one thread of libuv's pool, and no more.
 */
export async function gitBranch(folder: string): Promise<string | undefined> {
  if (!isAbsolute(folder)) return undefined;
  let isLate = false;
  const read = turns.run(async () => (isLate ? undefined : readBranch(folder)));
  return withDeadline(read, MOST_MS, () => new Error("the disk does not answer")).catch(() => {
    isLate = true;
    return undefined;
  });
}

async function readBranch(folder: string): Promise<string | undefined> {
  let at = folder;
  for (let count = 0; count < MOST_FOLDERS; count++) {
    const head = (await textOf(join(at, ".git", "HEAD"))) ?? (await headOfWorktree(at));
    if (head !== undefined) return branchIn(head);
    const above = dirname(at);
    if (above === at) return undefined;
    at = above;
  }
  return undefined;
}

/** In a worktree and in a submodule `.git` is a file that names the folder. */
async function headOfWorktree(folder: string): Promise<string | undefined> {
  const [, place] = /^gitdir: ([^\n]+)\n?$/.exec((await textOf(join(folder, ".git"))) ?? "") ?? [];
  return place === undefined ? undefined : textOf(join(resolve(folder, place), "HEAD"));
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return (await readRegularFileLater(file, MOST_BYTES)).toString();
  } catch {
    return undefined;
  }
}

function branchIn(head: string): string | undefined {
  // A repository may come from anywhere: what it says may reach a terminal, and a name that is cut is another branch's.
  const [, branch = ""] = /^ref: refs\/heads\/([^\p{Cc}]+)\n?$/u.exec(head) ?? [];
  return branch === "" || branch.length > MAX_BRANCH ? undefined : branch;
}
