import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

/** The Patchbay shell that a process runs in, with the address and token of its relay. */
export interface EnclosingShell {
  readonly shell: string;
  /** Address of its relay; "" where the environment lacks it. */
  readonly url: string;
  /** The shell's own token; "" where the environment lacks it. */
  readonly token: string;
}

/** What is known of the Patchbay shells around this process. */
interface EnclosingShells {
  /** As the environments of the ancestors tell, nearest first, and this process's own last; each once. */
  readonly shells: readonly EnclosingShell[];
  /** Data folders of the relays whose shell host is an ancestor, whatever the environments tell. */
  readonly folders: readonly string[];
  /** Whether all ancestors were looked at. */
  readonly isComplete: boolean;
}

interface ProcessLookup {
  readonly pid?: number;
  /** Where the kernel shows processes. */
  readonly proc?: string;
}

/** The search ends after this many ancestors. */
const MOST_ANCESTORS = 200;

/**
 * Returns the Patchbay shell that this process runs in; undefined outside of shells. On Linux it reads the environment of
 * the ancestors too, so that a program with an emptied environment (`env -i`) is still known to be in a shell.
 */
export function enclosingShell(
  env: Readonly<Record<string, string | undefined>>,
  lookup?: ProcessLookup,
): EnclosingShell | undefined {
  return findEnclosingShells(env, lookup).shells[0];
}

/**
 * Returns all Patchbay shells around this process. What a caller or its parents say of themselves may be made up, so
 * a decision asks about every one of them.
 */
export function findEnclosingShells(
  env: Readonly<Record<string, string | undefined>>,
  { pid = process.pid, proc = "/proc" }: ProcessLookup = {},
): EnclosingShells {
  const shells: EnclosingShell[] = [];
  const folders = new Set<string>();
  const add = (found: EnclosingShell | undefined) => {
    if (found === undefined) return;
    const isKnown = shells.some(
      ({ url, token, shell }) => url === found.url && token === found.token && shell === found.shell,
    );
    if (!isKnown) shells.push(found);
  };
  let at = parentOf(pid, proc);
  let count = 0;
  for (; at > 1 && count < MOST_ANCESTORS; count += 1) {
    add(shellFromEnvironment(environmentOf(at, proc)));
    const folder = folderOfShellHost(at, proc);
    if (folder !== undefined) folders.add(folder);
    at = parentOf(at, proc);
  }
  add(shellFromEnvironment(environmentOf(pid, proc)));
  add(shellFromEnvironment(env));
  return { shells, folders: [...folders], isComplete: at <= 1 };
}

function shellFromEnvironment(env: Readonly<Record<string, string | undefined>>): EnclosingShell | undefined {
  const { SERVICE_SHELL_ID: shell = "", SERVICE_URL: url = "", SERVICE_TOKEN: token = "" } = env;
  return shell === "" ? undefined : { shell, url, token };
}

const HostPid = z.object({ pid: z.int() });

/** Returns the data folder of a shell host; undefined for any other process. The host's own file names its process. */
function folderOfShellHost(pid: number, proc: string): string | undefined {
  const args = readOrEmpty(`${proc}/${pid}/cmdline`).split("\0");
  const file = args[args.indexOf("--file") + 1] ?? "";
  if (!args.includes("--file") || !file.endsWith("/shell-host.json")) return undefined;
  try {
    return HostPid.parse(JSON.parse(readOrEmpty(file))).pid === pid ? dirname(file) : undefined;
  } catch {
    return undefined;
  }
}

/** Empty for a process that does not exist or is another user's. */
function environmentOf(pid: number, proc: string): Record<string, string> {
  const entries = readOrEmpty(`${proc}/${pid}/environ`).split("\0");
  return Object.fromEntries(
    entries.flatMap((entry) => {
      const at = entry.indexOf("=");
      return at <= 0 ? [] : [[entry.slice(0, at), entry.slice(at + 1)]];
    }),
  );
}

/** Returns 0 where it is unknown. The process name is in parentheses and may contain any character. */
function parentOf(pid: number, proc: string): number {
  const stat = readOrEmpty(`${proc}/${pid}/stat`);
  const [, parent = "0"] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(parent) || 0;
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
