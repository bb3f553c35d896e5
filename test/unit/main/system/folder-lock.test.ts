import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { FolderLock, lockHolder } from "../../../../main/system/folder-lock.ts";
import { temporaryFolder } from "../relay/temporary-folder.ts";

/** Takes the lock by the same means in a process of its own, which starts a child that outlives it. */
const HOLDER = `
  const Database = require("libsql");
  const database = new Database(process.argv[1]);
  database.pragma("busy_timeout = 0");
  database.pragma("journal_mode = MEMORY");
  database.exec("BEGIN EXCLUSIVE");
  const child = require("node:child_process").spawn("sleep", ["30"], { detached: true, stdio: "ignore" });
  console.log(child.pid);
  setInterval(() => {}, 1000);
`;

async function holderOf(folder: string): Promise<{ child: ChildProcess; grandchild: number }> {
  const root = resolve(import.meta.dirname, "../../../..");
  const child = spawn(process.execPath, ["-e", HOLDER, join(folder, "lock.db")], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = (await once(child.stdout ?? child, "data")) as [Buffer];
  return { child, grandchild: Number(String(said)) };
}

test("one at a time holds a folder, and says who it is", () => {
  using folder = temporaryFolder();
  const lock = FolderLock.take(folder.path, "relay");
  expect(lock).toBeDefined();
  expect(FolderLock.take(folder.path, "relay")).toBeUndefined();
  expect(lockHolder(folder.path)).toMatchObject({ pid: process.pid, purpose: "relay" });
  expect(statSync(join(folder.path, "lock.db")).mode & 0o777).toBe(0o600);
  lock?.release();
  lock?.release();
  expect(existsSync(join(folder.path, "lock.json"))).toBe(false);
  const next = FolderLock.take(folder.path, "command");
  expect(lockHolder(folder.path)).toMatchObject({ purpose: "command" });
  next?.release();
});

test("kill -9 releases it at once, though a child of the holder lives on", async () => {
  using folder = temporaryFolder();
  const { child, grandchild } = await holderOf(folder.path);
  try {
    expect(FolderLock.take(folder.path, "relay")).toBeUndefined();
    child.kill("SIGSTOP");
    expect(FolderLock.take(folder.path, "relay")).toBeUndefined();
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(() => process.kill(grandchild, 0)).not.toThrow();
    const lock = FolderLock.take(folder.path, "relay");
    expect(lock).toBeDefined();
    lock?.release();
  } finally {
    process.kill(grandchild, "SIGKILL");
  }
});

test("what a dead process has left there says nothing", () => {
  using folder = temporaryFolder();
  const dead = { pid: process.pid, startedAt: "another start", purpose: "relay" };
  writeFileSync(join(folder.path, "lock.json"), JSON.stringify(dead));
  expect(lockHolder(folder.path)).toBeUndefined();
  writeFileSync(join(folder.path, "lock.json"), "{");
  expect(lockHolder(folder.path)).toBeUndefined();
});

test.each<[string, (folder: string) => void, string | undefined]>([
  ["nothing", () => undefined, undefined],
  ["the deletion of the folder", (folder) => rmSync(folder, { recursive: true }), "it was deleted or moved away"],
  ["the deletion of the lock file", (folder) => rmSync(join(folder, "lock.db")), "its lock.db was deleted"],
  [
    "another lock file",
    (folder) => {
      writeFileSync(join(folder, "new"), "");
      renameSync(join(folder, "new"), join(folder, "lock.db"));
    },
    "its lock.db was replaced",
  ],
  [
    "another folder",
    (folder) => {
      renameSync(folder, `${folder}.old`);
      mkdirSync(folder);
    },
    "it was replaced by another folder",
  ],
])("%s is noticed", async (_what, harm, reason) => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  mkdirSync(data);
  const lock = FolderLock.take(data, "relay");
  expect(await lock?.lossReason()).toBeUndefined();
  harm(data);
  expect(await lock?.lossReason()).toBe(reason);
  lock?.release();
});

test("its release leaves alone what the next holder has written", () => {
  using folder = temporaryFolder();
  const lock = FolderLock.take(folder.path, "relay");
  const other = JSON.stringify({ pid: process.ppid, startedAt: null, purpose: "relay" });
  writeFileSync(join(folder.path, "lock.json"), other);
  lock?.release();
  expect(readFileSync(join(folder.path, "lock.json"), "utf8")).toBe(other);
});

test.each<[string, (file: string) => void]>([
  ["a folder", (file) => mkdirSync(file)],
  ["no lock file", (file) => writeFileSync(file, "x".repeat(5000))],
])("%s in its place is an error that names it", (_what, make) => {
  using folder = temporaryFolder();
  make(join(folder.path, "lock.db"));
  expect(() => FolderLock.take(folder.path, "relay")).toThrow(`The lock file ${join(folder.path, "lock.db")} cannot`);
});
