import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bashIntegration } from "./bash.ts";
import { fishIntegration } from "./fish.ts";
import type { ShellKind } from "./login-shell.ts";
import { zshIntegration } from "./zsh.ts";

/** How to start a shell with marks: its arguments and the variables that its start-up file reads. */
export interface IntegratedStart {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the shell will send marks. */
  readonly integrated: boolean;
  /** File through which the shell accepts command lines, if it does. */
  readonly lineFile: string | undefined;
  /** Removes the file with the secret, which the shell has emptied after reading it. */
  forgetSecret(): void;
}

interface StartRequest {
  readonly kind: ShellKind;
  /** The secret shared by shell and host, on one line. */
  readonly secret: string;
  /** Start a login shell, as terminals do on macOS. */
  readonly login: boolean;
  /** The environment that the shell inherits. */
  readonly inherited: Readonly<Record<string, string | undefined>>;
}

/** Age at which unread files, left behind by a killed host, are removed. */
const STALE_MS = 10 * 60_000;

/** Writes the start-up files into a private folder and returns a function that prepares the start of a shell. */
export function installIntegration(folder: string): (wish: StartRequest) => IntegratedStart {
  writePrivately(folder, { "bash.sh": bashIntegration, "fish.fish": fishIntegration });
  writePrivately(join(folder, "zsh"), zshIntegration());
  const secrets = join(folder, "start");
  writePrivately(secrets, {});
  removeStale(secrets);
  return (wish) => (wish.kind === "other" ? unintegrated(wish) : integrated(wish, folder, secrets));
}

function unintegrated({ login }: StartRequest): IntegratedStart {
  return {
    args: login ? ["-l"] : [],
    environment: {},
    integrated: false,
    lineFile: undefined,
    forgetSecret: () => undefined,
  };
}

function integrated(wish: StartRequest, folder: string, secrets: string): IntegratedStart {
  const name = join(secrets, randomBytes(8).toString("hex"));
  writeFileSync(name, `${wish.secret}\n`, { mode: 0o600, flag: "wx" });
  const lineFile = wish.kind === "fish" ? `${name}.line` : undefined;
  const { args, environment } = startOf(wish, folder);
  return {
    args,
    environment: {
      ...environment,
      PATCHBAY_SEED: name,
      ...(lineFile === undefined ? {} : { PATCHBAY_LINE: lineFile }),
    },
    integrated: true,
    lineFile,
    forgetSecret: () => rmSync(name, { force: true }),
  };
}

function startOf(
  { kind, login, inherited }: StartRequest,
  folder: string,
): Pick<IntegratedStart, "args" | "environment"> {
  switch (kind) {
    case "zsh":
      return {
        args: login ? ["-l"] : ["-i"],
        environment: { ZDOTDIR: join(folder, "zsh"), PATCHBAY_ZDOTDIR: inherited.ZDOTDIR ?? "" },
      };
    case "fish": {
      const init = `source ${quoted(join(folder, "fish.fish"))}`;
      return { args: [...(login ? ["--login"] : []), "--interactive", "--init-command", init], environment: {} };
    }
    default:
      return {
        args: ["--rcfile", join(folder, "bash.sh"), "-i"],
        environment: { PATCHBAY_LOGIN: login ? "1" : "", PATCHBAY_POSIX: inherited.POSIXLY_CORRECT ?? "" },
      };
  }
}

function writePrivately(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
}

function removeStale(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - written > STALE_MS) rmSync(path, { force: true });
  }
}

function quoted(path: string): string {
  return `'${path.replace(/[\\']/g, "\\$&")}'`;
}
