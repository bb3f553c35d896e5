import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  listFolder,
  listFolderTree,
  openRegularFile,
  readRegularFile,
  readRegularFileLater,
  readRegularFileStart,
} from "../../../../main/system/regular-files.ts";

let folder: string;
let server: Server | undefined;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-files-")));
});
afterEach(async () => {
  await new Promise<unknown>((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const irregular: Record<string, (path: string) => void | Promise<void>> = {
  "a pipe without a writer": (path) => void execFileSync("mkfifo", [path]),
  "a link to a pipe": (path) => {
    execFileSync("mkfifo", [`${path}.pipe`]);
    symlinkSync(`${path}.pipe`, path);
  },
  "a link to /dev/zero": (path) => symlinkSync("/dev/zero", path),
  "a link to a terminal": (path) => symlinkSync("/dev/ptmx", path),
  "a folder": (path) => mkdirSync(path),
  "a socket": async (path) => {
    server = createServer();
    await new Promise<void>((resolve) => server?.listen(path, resolve));
  },
};

describe.each(Object.entries(irregular))("%s", (_, make) => {
  test("is neither opened nor read, by any way", async () => {
    const path = join(folder, "settings.json");
    await make(path);
    const refused = expect.objectContaining({ code: "EIRREGULAR" });
    expect(() => openRegularFile(path)).toThrow(refused);
    expect(() => readRegularFile(path, 100)).toThrow(refused);
    expect(() => readRegularFileStart(path, 100)).toThrow(refused);
    await expect(readRegularFileLater(path, 100)).rejects.toEqual(refused);
  });
});

test("a file is read up to its limit, through links too; one byte more is refused unread", async () => {
  const path = join(folder, "real");
  writeFileSync(path, "0123456789");
  symlinkSync(path, join(folder, "link"));
  for (const one of [path, join(folder, "link")]) {
    expect(readRegularFile(one, 10).toString()).toBe("0123456789");
    expect((await readRegularFileLater(one, 10)).toString()).toBe("0123456789");
    expect(readRegularFileStart(one, 4).toString()).toBe("0123");
    expect(readRegularFileStart(one, 400).toString()).toBe("0123456789");
  }
  const tooLarge = expect.objectContaining({ code: "EFBIG" });
  expect(() => readRegularFile(path, 9)).toThrow(tooLarge);
  await expect(readRegularFileLater(path, 9)).rejects.toEqual(tooLarge);
  expect(() => openRegularFile(join(folder, "link"), { follow: false })).toThrow(
    expect.objectContaining({ code: "ELOOP" }),
  );
});

test("a file of a gigabyte that is all hole is refused without its bytes", async () => {
  const path = join(folder, "huge");
  writeFileSync(path, "{");
  truncateSync(path, 1024 ** 3);
  const before = process.memoryUsage.rss();
  expect(() => readRegularFile(path, 1024 * 1024)).toThrow(expect.objectContaining({ code: "EFBIG" }));
  await expect(readRegularFileLater(path, 1024 * 1024)).rejects.toMatchObject({ code: "EFBIG" });
  expect(readRegularFileStart(path, 10)).toHaveLength(10);
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1024 * 1024);
});

test("a file that is swapped for a pipe and back, all the time, is read or refused and never waited for", async () => {
  const [path, file, pipe] = [join(folder, "swapped"), join(folder, "file"), join(folder, "pipe")];
  writeFileSync(file, "content");
  execFileSync("mkfifo", [pipe]);
  const to = (target: string) => `ln -s ${target} ${path}.new; mv -Tf ${path}.new ${path}`;
  const swapper = spawn("sh", ["-c", `while kill -0 $PPID 2>/dev/null; do ${to(file)}; ${to(pipe)}; done`], {
    stdio: "ignore",
    // With what it runs it is ended at once: a link that comes later stays.
    detached: true,
  });
  const seen = new Set<string>();
  try {
    for (let round = 0; round < 3000 || !(seen.has("read") && seen.has("EIRREGULAR")); round += 1) {
      seen.add(outcome(path));
      if (round % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    if (swapper.pid !== undefined) process.kill(-swapper.pid, "SIGKILL");
    await new Promise((resolve) => swapper.once("exit", resolve));
  }
  seen.delete("ENOENT");
  expect([...seen].sort()).toEqual(["EIRREGULAR", "read"]);
});

function outcome(path: string): string {
  try {
    closeSync(openRegularFile(path));
    return "read";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "other";
  }
}

test("a folder is listed up to its limit, and links in it are not followed down", () => {
  for (let index = 0; index < 30; index += 1) writeFileSync(join(folder, `file-${index}`), "");
  expect(listFolder(folder, 10)).toHaveLength(10);
  expect(listFolder(folder, 100)).toHaveLength(30);
  expect(() => listFolder(join(folder, "file-1"), 10)).toThrow(expect.objectContaining({ code: "ENOTDIR" }));
  const tree = join(folder, "tree");
  mkdirSync(join(tree, "a", "b", "c"), { recursive: true });
  writeFileSync(join(tree, "a", "b", "two"), "");
  writeFileSync(join(tree, "a", "b", "c", "three"), "");
  symlinkSync(tree, join(tree, "a", "round"));
  const bounds = { limit: 100, depth: 4 };
  expect(listFolderTree(tree, bounds).sort()).toEqual(["a/b/c/three", "a/b/two", "a/round"]);
  expect(listFolderTree(tree, { ...bounds, depth: 2 }).sort()).toEqual(["a/b/two", "a/round"]);
  expect(listFolderTree(tree, { ...bounds, limit: 2 }).length).toBeLessThanOrEqual(2);
});
