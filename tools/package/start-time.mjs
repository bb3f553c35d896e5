import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

const LIMIT_MS = 30_000;
const STEP_MS = 5;

/**
 * Starts an app in a home of its own and ends it. Returns the milliseconds until the X server shows one of its windows.
 * Rejects after 30 s without a window.
 * @param {string} executable
 * @param {{ env: NodeJS.ProcessEnv, folder: string, signal: AbortSignal }} place `folder`: for the home
 */
export async function startTime(executable, { env, folder, signal }) {
  const home = mkdtempSync(path.join(folder, "home-"));
  const data = path.join(home, ".local", "share", "patchbay");
  mkdirSync(data, { recursive: true });
  // Without the welcome of a first start, and its shell.
  writeFileSync(path.join(data, "welcomed"), "");
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const { XDG_CONFIG_HOME: _, XDG_DATA_HOME: __, XDG_CACHE_HOME: ___, ...rest } = env;
  const own = { ...rest, HOME: home };
  const startedAt = performance.now();
  const child = spawn(executable, [...sandbox, "--port", "0"], { env: own, stdio: "ignore", signal });
  const ended = once(child, "exit").catch(() => undefined);
  try {
    while (!(await isWindowVisible(path.basename(executable), env))) {
      if (performance.now() - startedAt > LIMIT_MS || child.exitCode !== null)
        throw new Error(`${executable} shows no window.`);
      await delay(STEP_MS, undefined, { signal });
    }
    return performance.now() - startedAt;
  } finally {
    child.kill("SIGTERM");
    await ended;
    rmSync(home, { recursive: true, force: true, maxRetries: 9 });
  }
}

/** @param {string} program as the windows' class has it @param {NodeJS.ProcessEnv} env */
async function isWindowVisible(program, env) {
  // xwininfo fails if a window closes meanwhile; the caller tries again.
  const { stdout } = await promisify(execFile)("xwininfo", ["-root", "-tree"], { env }).catch(() => ({ stdout: "" }));
  // `0x400004 "Title": ("empty" "Empty")  800x600+0+0`; smaller ones are the toolkit's own.
  const rows = stdout.matchAll(/^\s*(0x[0-9a-f]+) .*: \("([^"]+)" "[^"]+"\)\s+(\d+)x/gm);
  const ids = [...rows].filter(([, , name, width]) => name === program && Number(width) >= 200).map(([, id]) => id);
  for (const id of ids) {
    const told = await promisify(execFile)("xwininfo", ["-id", id ?? ""], { env }).catch(() => undefined);
    if (told?.stdout.includes("IsViewable")) return true;
  }
  return false;
}
