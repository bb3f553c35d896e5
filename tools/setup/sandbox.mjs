import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { SetUpError } from "./set-up-error.mjs";

const ROOT = 0;
const SETUID = 0o4000;

/**
 * The options that Chromium's sandbox needs on this machine: none, or `--no-sandbox` for root on Linux, which it
 * does not support. Throws a SetUpError with the remedy if the sandbox cannot work and Electron would crash.
 * @param {string} dist folder of the Electron runtime
 * @returns {string[]}
 */
export function sandboxOptions(dist) {
  if (process.platform !== "linux") return [];
  if (process.getuid?.() === ROOT) return ["--no-sandbox"];
  const sandbox = path.join(dist, "chrome-sandbox");
  if (!restrictsUserNamespaces() || isSetuidRoot(sandbox)) return [];
  throw new SetUpError(
    "This system does not let unprivileged programs make user namespaces, which Electron's sandbox needs. Give its helper the rights instead, then run again:\n\n" +
      `  sudo chown root:root '${sandbox}' && sudo chmod 4755 '${sandbox}'\n`,
  );
}

function restrictsUserNamespaces() {
  return (
    isSetting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1") ||
    isSetting("/proc/sys/kernel/unprivileged_userns_clone", "0")
  );
}

/** @param {string} file @param {string} value */
function isSetting(file, value) {
  return existsSync(file) && readFileSync(file, "utf8").trim() === value;
}

/** @param {string} file */
function isSetuidRoot(file) {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.uid === ROOT && (stat.mode & SETUID) !== 0;
}
