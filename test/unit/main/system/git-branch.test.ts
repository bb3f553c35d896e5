import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gitBranch } from "../../../../main/system/git-branch.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-git-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (...words: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: folder, stdio: "pipe" });

test("the branch is read in a repository, below it, and in a worktree; a commit without a branch has none", async () => {
  git("init", "-q", "-b", "feature/one");
  git("commit", "-q", "--allow-empty", "-m", "first");
  mkdirSync(join(folder, "a/b"), { recursive: true });
  expect(await gitBranch(folder)).toBe("feature/one");
  expect(await gitBranch(join(folder, "a/b"))).toBe("feature/one");
  git("worktree", "add", "-q", "-b", "other", "tree");
  expect(await gitBranch(join(folder, "tree"))).toBe("other");
  git("checkout", "-q", "--detach");
  expect(await gitBranch(folder)).toBeUndefined();
});

test("a file that leads to another folder is read up to a size", async () => {
  git("init", "-q", "-b", "one", "real");
  const leadsBy = async (detours: number) => {
    writeFileSync(join(folder, ".git"), `gitdir: ${"./".repeat(detours)}real/.git\n`);
    return gitBranch(folder);
  };
  expect(await leadsBy(1000)).toBe("one");
  expect(await leadsBy(5000)).toBeUndefined();
});

test("outside of repositories, and where the files are something else, there is none", async () => {
  expect(await gitBranch(folder)).toBeUndefined();
  expect(await gitBranch("relative")).toBeUndefined();
  expect(await gitBranch(join(folder, "gone"))).toBeUndefined();
  mkdirSync(join(folder, ".git"));
  for (const head of ["", "ref: refs/remotes/origin/main\n", "\u0000\u0001", "ref: refs/heads/a\nb\n"]) {
    writeFileSync(join(folder, ".git/HEAD"), head);
    expect(await gitBranch(folder), head).toBeUndefined();
  }
  writeFileSync(join(folder, ".git/HEAD"), "x".repeat(100_000));
  expect(await gitBranch(folder)).toBeUndefined();
  rmSync(join(folder, ".git/HEAD"));
  // Nobody writes to it: whoever opened it as a file would wait for ever.
  execFileSync("mkfifo", [join(folder, ".git/HEAD")]);
  expect(await gitBranch(folder)).toBeUndefined();
  rmSync(join(folder, ".git"), { recursive: true });
  writeFileSync(join(folder, ".git"), "gitdir: .\n");
  expect(await gitBranch(folder)).toBeUndefined();
});

test.each([
  ["control characters", "ref: refs/heads/a\u001b[2Jb\n"],
  ["several lines", "ref: refs/heads/a\nsecret\n"],
  ["another file", "root:x:0:0\n"],
  ["a long name", `ref: refs/heads/${"a".repeat(300)}\n`],
  ["a long file", `ref: refs/heads/a\n${" ".repeat(10_000)}`],
])("it is not taken from a head with %s", async (_what, text) => {
  mkdirSync(join(folder, ".git"));
  writeFileSync(join(folder, ".git/HEAD"), text);
  expect(await gitBranch(folder)).toBeUndefined();
});

test("it is not looked for where an overlong file says", async () => {
  mkdirSync(join(folder, "elsewhere"));
  writeFileSync(join(folder, "elsewhere/HEAD"), "ref: refs/heads/x\n");
  writeFileSync(join(folder, ".git"), "gitdir: elsewhere\n");
  expect(await gitBranch(folder)).toBe("x");
  writeFileSync(join(folder, ".git"), `gitdir: elsewhere\n${" ".repeat(10_000)}`);
  expect(await gitBranch(folder)).toBeUndefined();
});
