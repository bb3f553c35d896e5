import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { checkout } from "../setup/checkout.mjs";

/**
 * The time that everything built gets, in seconds since 1970: SOURCE_DATE_EPOCH, else that of the commit, so that the
 * same commit gives the same package; now, where there is no repository.
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
