import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { withLock } from "../../../../tools/setup/lock.mjs";
import { publishFolder } from "../../../../tools/setup/publish-folder.mjs";
import { temporaryFolder } from "../temporary-folder.ts";

const context = { log: () => {}, signal: new AbortController().signal, waitingFor: "a test" };

test("a folder appears only when it is complete", async () => {
  const place = temporaryFolder();
  const target = path.join(place, "electron");
  await publishFolder(target, async (folder: string) => {
    await writeFile(path.join(folder, "version"), "1");
    expect(await readdir(place)).not.toContain("electron");
  });
  expect(await readdir(place)).toEqual(["electron"]);
  expect(await readFile(path.join(target, "version"), "utf8")).toBe("1");
});

test("a failure leaves nothing, and what was there before stays", async () => {
  const place = temporaryFolder();
  const target = path.join(place, "electron");
  await mkdir(target);
  await writeFile(path.join(target, "version"), "1");
  const outcome = publishFolder(target, async (folder: string) => {
    await writeFile(path.join(folder, "version"), "2");
    throw new Error("cut off");
  });
  await expect(outcome).rejects.toThrow("cut off");
  expect(await readdir(place)).toEqual(["electron"]);
  expect(await readFile(path.join(target, "version"), "utf8")).toBe("1");
});

test("the remains of a killed run are removed", async () => {
  const place = temporaryFolder();
  await mkdir(path.join(place, ".part-dead", "content"), { recursive: true });
  await publishFolder(path.join(place, "electron"), async () => {});
  expect(await readdir(place)).toEqual(["electron"]);
});

test("two holders of a lock never overlap", async () => {
  const file = path.join(temporaryFolder(), "lock");
  let inside = 0;
  let most = 0;
  const body = async () => {
    most = Math.max(most, ++inside);
    await new Promise(setImmediate);
    inside--;
  };
  await Promise.all([1, 2, 3].map(() => withLock(file, context, body)));
  expect(most).toBe(1);
});

test("the lock of a dead process is taken over", async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "lock");
  const beyondEveryPid = 2 ** 22 + 1;
  await writeFile(file, String(beyondEveryPid));
  expect(await withLock(file, context, async () => "mine")).toBe("mine");
  expect(await readdir(folder)).toEqual([]);
});

test("the lock is given back after a failure", async () => {
  const file = path.join(temporaryFolder(), "lock");
  const fail = () => Promise.reject(new Error("failed"));
  await expect(withLock(file, context, fail)).rejects.toThrow("failed");
  expect(await withLock(file, context, async () => "free")).toBe("free");
});
