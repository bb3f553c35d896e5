import { accessSync, constants, lstatSync, readdirSync, type Stats, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { formatBytes } from "../../core/protocol/format-bytes.ts";
import type { Check, CheckResult } from "./finding.ts";

/** With less free space the store may soon fail to grow. */
const MIN_FREE_BYTES = 200 * 1024 * 1024;
/** Files that only their owner may read. */
const PRIVATE_FILES = [
  "patchbay.db",
  "relay.json",
  "shell-host.json",
  "tls.pem",
  "commands.sock",
  "lock.db",
  "lock.json",
  "remotes",
  "store.json",
];

/** Checks that the data folder exists, is writable and private, and has free space. */
export const checkDataFolder: Check = ({ data }) => {
  const folder = lstatIfPresent(data);
  if (folder === undefined) {
    return { state: "note", found: `${data} does not exist yet.`, advice: "The first start of Patchbay makes it." };
  }
  const problem = findUnusable(data) ?? findExposed(data);
  if (problem !== undefined) return problem;
  const space = checkFreeSpace(data);
  return space.state === "ok" ? (findPutAside(data) ?? space) : space;
};

/** Finds what is left of a damaged or lost database: the folder was started anew beside it. */
function findPutAside(data: string): CheckResult | undefined {
  const [latest] = readdirSync(data)
    .filter((name) => name.startsWith("patchbay.db") && name.includes(".damaged-"))
    .toSorted()
    .reverse();
  if (latest === undefined) return undefined;
  const found = `A database was damaged or lost; what was left of it is ${join(data, latest)}.`;
  return { state: "note", found, advice: "Keep it to have it examined, or delete it." };
}

function findUnusable(data: string): CheckResult | undefined {
  if (!statSync(data).isDirectory()) {
    return {
      state: "problem",
      found: `${data} is not a folder.`,
      advice: "Move it away, or choose another folder with --data.",
    };
  }
  try {
    accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch {
    const advice = `Take ownership and make it writable: chown -R "$(id -un)" '${data}' && chmod 700 '${data}'.`;
    return { state: "problem", found: `${data} cannot be written.`, advice };
  }
}

function findExposed(data: string): CheckResult | undefined {
  if (process.platform === "win32") return undefined;
  const uid = process.getuid?.();
  for (const path of [data, ...PRIVATE_FILES.map((name) => join(data, name))]) {
    const found = lstatIfPresent(path);
    if (found === undefined) continue;
    if (uid !== undefined && found.uid !== uid) {
      const advice = `Take ownership: chown -R "$(id -un)" '${data}'.`;
      return { state: "problem", found: `${path} belongs to another user.`, advice };
    }
    if ((found.mode & 0o077) !== 0) {
      const mode = found.isDirectory() ? "700" : "600";
      const advice = `Restrict access: chmod ${mode} '${path}'.`;
      return { state: "problem", found: `${path} can be read by other users of this machine.`, advice };
    }
  }
  return undefined;
}

function checkFreeSpace(data: string): CheckResult {
  const { bavail, bsize } = statfsSync(data);
  const free = bavail * bsize;
  const found = `${data} is private to you, with ${formatBytes(free, "en")} free.`;
  if (free >= MIN_FREE_BYTES) return { state: "ok", found };
  return { state: "problem", found, advice: "Free some space: without it nothing can be saved." };
}

function lstatIfPresent(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
