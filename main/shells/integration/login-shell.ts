import { accessSync, constants, statSync } from "node:fs";
import { userInfo } from "node:os";
import { basename } from "node:path";

export type ShellKind = "bash" | "zsh" | "fish" | "other";

/** The user's own shell: `$SHELL`, else the one of the account, else `/bin/sh`; on Windows PowerShell or `COMSPEC`. */
export function findLoginShell(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  if (platform === "win32") return environment.COMSPEC ?? "powershell.exe";
  return [environment.SHELL, accountShell()].find((path) => path !== undefined && isProgram(path)) ?? "/bin/sh";
}

/** Which shell a program is, by its name (`/usr/local/bin/bash-5.2` is bash). */
export function shellKindOf(program: string): ShellKind {
  const name = /^(bash|zsh|fish)(?:[-.\d]*)$/.exec(basename(program))?.[1];
  return name === "bash" || name === "zsh" || name === "fish" ? name : "other";
}

/** Whether a path is a file that may be executed. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function accountShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    // An account without an entry in the user database, as in some containers.
    return undefined;
  }
}
