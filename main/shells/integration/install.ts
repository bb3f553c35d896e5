import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ShellKind } from "../login-shell.ts";
import { bashIntegration } from "./bash.ts";
import { fishIntegration } from "./fish.ts";
import { zshIntegration } from "./zsh.ts";

/** How a shell is started so that it prints marks: its arguments and the variables that its start-up file reads. */
export interface IntegratedStart {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Whether marks can be expected. */
  readonly integrated: boolean;
}

export interface StartWish {
  readonly kind: ShellKind;
  readonly nonce: string;
  /** As on macOS, where terminals start login shells; elsewhere they do not. */
  readonly login: boolean;
  readonly zdotdir: string | undefined;
}

/** Writes the start-up files into a folder that only the user may read, and tells how shells are started with them. */
export function installIntegration(folder: string): (wish: StartWish) => IntegratedStart {
  writePrivately(folder, { "bash.sh": bashIntegration, "fish.fish": fishIntegration });
  writePrivately(join(folder, "zsh"), zshIntegration());
  return ({ kind, nonce, login, zdotdir = "" }) => {
    switch (kind) {
      case "bash": {
        const environment = { PATCHBAY_NONCE: nonce, PATCHBAY_LOGIN: login ? "1" : "" };
        return { args: ["--rcfile", join(folder, "bash.sh"), "-i"], environment, integrated: true };
      }
      case "zsh": {
        const environment = { PATCHBAY_NONCE: nonce, ZDOTDIR: join(folder, "zsh"), PATCHBAY_ZDOTDIR: zdotdir };
        return { args: login ? ["-l"] : ["-i"], environment, integrated: true };
      }
      case "fish": {
        const init = `source ${quoted(join(folder, "fish.fish"))}`;
        const args = [...(login ? ["--login"] : []), "--interactive", "--init-command", init];
        return { args, environment: { PATCHBAY_NONCE: nonce }, integrated: true };
      }
      case "other":
        return { args: login ? ["-l"] : [], environment: {}, integrated: false };
    }
  };
}

function writePrivately(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
}

function quoted(path: string): string {
  return `'${path.replace(/[\\']/g, "\\$&")}'`;
}
