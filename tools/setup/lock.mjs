import { mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const HEARTBEAT_MS = 2_000;
const STALE_AFTER_MS = 15_000;
const POLL_MS = 200;

/**
 * Runs `body` while holding the lock file, so that two set-ups never do the same work at once; waits for the holder.
 * A lock is taken over if its holder is dead or has not touched it for 15 s. (Two waiters may take over a stale lock at
 * the same time: code under a lock therefore renames its result into place, which is correct twice.)
 * @template T
 * @param {string} file
 * @param {import("./run.mjs").Context & { waitingFor: string }} options
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
export async function withLock(file, { log, signal, waitingFor }, body) {
  await mkdir(path.dirname(file), { recursive: true });
  for (let told = false; !(await take(file)); told = true) {
    if (!told) log(`waiting for another Patchbay set-up: ${waitingFor}`);
    await delay(POLL_MS, undefined, { signal });
  }
  const heartbeat = setInterval(() => utimes(file, new Date(), new Date()).catch(() => {}), HEARTBEAT_MS);
  try {
    return await body();
  } finally {
    clearInterval(heartbeat);
    await rm(file, { force: true });
  }
}

/** @param {string} file */
async function take(file) {
  try {
    await writeFile(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
    if (await isStale(file)) await rm(file, { force: true });
    return false;
  }
}

/** @param {string} file */
async function isStale(file) {
  try {
    const [{ mtimeMs }, holder] = [await stat(file), Number(await readFile(file, "utf8"))];
    // An empty file is a lock being written this instant; its age decides.
    return Date.now() - mtimeMs > STALE_AFTER_MS || (holder > 0 && !isAlive(holder));
  } catch (error) {
    if (isCode(error, "ENOENT")) return false;
    throw error;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

/**
 * @param {unknown} error
 * @param {string} code
 */
function isCode(error, code) {
  return error instanceof Error && "code" in error && error.code === code;
}
