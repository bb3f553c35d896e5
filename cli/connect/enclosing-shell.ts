import { readFileSync } from "node:fs";

/** The Patchbay shell that this process runs in, and what its programs may reach the relay with. */
export interface EnclosingShell {
  readonly shell: string;
  /** Address of its relay; "" where it was taken out of the environment. */
  readonly url: string;
  /** The shell's own token; "" likewise. */
  readonly token: string;
}

/** A process that has more ancestors than these is looked at no further. */
const MOST_ANCESTORS = 200;

/**
 * The Patchbay shell that this process runs in, by its environment; on Linux by that of its ancestors as well, so that
 * a program whose environment was emptied (`env -i`) is still known to be in a shell. Undefined outside of shells.
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

/** Empty where there is no such file, or it is another user's. */
function environmentOf(pid: number, proc: string): Record<string, string> {
  const entries = readOrEmpty(`${proc}/${pid}/environ`).split("\0");
  return Object.fromEntries(
    entries.flatMap((entry) => {
      const at = entry.indexOf("=");
      return at <= 0 ? [] : [[entry.slice(0, at), entry.slice(at + 1)]];
    }),
  );
}

/** 0 where it cannot be told. The name of a process stands in brackets, and may hold any character. */
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
