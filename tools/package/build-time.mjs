import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { checkout } from "../setup/checkout.mjs";

/**
 * Returns the time of all build output in seconds since 1970: SOURCE_DATE_EPOCH, else the commit's time, so that the
 * same commit makes the same package; else the current time if there is no repository.
 * @param {NodeJS.ProcessEnv} env
 */
export async function buildTime(env = process.env) {
  const given = Number(env.SOURCE_DATE_EPOCH);
  if (env.SOURCE_DATE_EPOCH !== undefined && Number.isSafeInteger(given) && given >= 0) return given;
  try {
    const { stdout } = await promisify(execFile)("git", ["log", "-1", "--format=%ct"], { cwd: checkout });
    return Number(stdout.trim());
  } catch {
    return Math.floor(Date.now() / 1000);
  }
}
