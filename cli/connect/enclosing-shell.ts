import { readFileSync } from "node:fs";

/** The Patchbay shell that this process runs in, with the address and token of its relay. */
export interface EnclosingShell {
  readonly shell: string;
  /** Address of its relay; "" where the environment lacks it. */
  readonly url: string;
  /** The shell's own token; "" where the environment lacks it. */
  readonly token: string;
}

/** The search ends after this many ancestors. */
const MOST_ANCESTORS = 200;

/**
 * Returns the Patchbay shell that this process runs in; undefined outside of shells. On Linux it reads the environment of
 * the ancestors too, so that a program with an emptied environment (`env -i`) is still known to be in a shell.
 */
export function enclosingShell(
  env: Readonly<Record<string, string | undefined>>,
  { pid = process.pid, proc = "/proc" } = {},
): EnclosingShell | undefined {
  if ((env.SERVICE_SHELL_ID ?? "") !== "" && (env.SERVICE_TOKEN ?? "") !== "") return shellFromEnvironment(env);
  let at = pid;
  for (let count = 0; count < MOST_ANCESTORS && at > 1; count += 1) {
    const found = shellFromEnvironment(environmentOf(at, proc));
    if (found !== undefined) return found;
    at = parentOf(at, proc);
  }
  return shellFromEnvironment(env);
}

function shellFromEnvironment(env: Readonly<Record<string, string | undefined>>): EnclosingShell | undefined {
  const { SERVICE_SHELL_ID: shell = "", SERVICE_URL: url = "", SERVICE_TOKEN: token = "" } = env;
  return shell === "" ? undefined : { shell, url, token };
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
