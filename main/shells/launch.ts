import { delimiter, isAbsolute, join, resolve } from "node:path";
import { RemoteError } from "../../core/protocol/errors.ts";
import type { ShellCallParams } from "../../core/protocol/shell-host.ts";
import { checkedProgram, startFolder } from "./check-spawn.ts";
import type { IntegratedStart, installIntegration } from "./integration/install.ts";
import { findLoginShell, isProgram, type ShellKind, shellKindOf } from "./integration/login-shell.ts";
import { withLaunchers } from "./launchers-in-path.ts";
import { createMarkSecret, type MarkSecret } from "./marks/mark-secret.ts";
import { shellEnvironment } from "./shell-environment.ts";

export type SpawnOptions = ShellCallParams<"spawn">;

/** A process to start on a pseudo-terminal. */
interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly kind: ShellKind;
  readonly integrated: boolean;
  /** Secret that authenticates the shell's marks. */
  readonly secret: MarkSecret;
  readonly lineFile: IntegratedStart["lineFile"];
  readonly forgetSecret: IntegratedStart["forgetSecret"];
  /** Whether a program runs in place of a shell. */
  readonly direct: boolean;
}

interface LaunchContext {
  /** The environment to inherit. */
  readonly inherited: NodeJS.ProcessEnv;
  readonly startWith: ReturnType<typeof installIntegration>;
}

/** Resolves spawn options: the user's shell with its integration, or the program of `exec`. Throws `spawn_failed`. */
export function launchOf(wish: SpawnOptions, surroundings: LaunchContext): Launch {
  const common = { secret: createMarkSecret(), cwd: startFolder(wish) };
  return wish.exec === undefined
    ? shellLaunch(wish, surroundings, common)
    : programLaunch(wish.exec, wish, surroundings, common);
}

type Common = Pick<Launch, "secret" | "cwd">;

function shellLaunch(wish: SpawnOptions, { inherited, startWith }: LaunchContext, common: Common): Launch {
  const program = checkedProgram(wish.shell ?? findLoginShell(inherited));
  const kind = shellKindOf(program);
  const { environment: own, ...started } = startWith({
    kind,
    secret: common.secret.text,
    login: process.platform === "darwin",
    inherited: { ...inherited, ...wish.env },
  });
  const plain = shellEnvironment(withoutPosix(inherited, kind), { SHELL: program, ...wish.env, ...own });
  const environment = withLaunchers(plain, started);
  return { ...common, ...started, program, environment, kind, direct: false };
}

function programLaunch(
  [name = "", ...args]: readonly string[],
  wish: SpawnOptions,
  { inherited }: LaunchContext,
  common: Common,
): Launch {
  const plain = shellEnvironment(inherited, { SHELL: findLoginShell(inherited), ...wish.env });
  const environment = withLaunchers(plain, { integrated: false });
  const program = findProgram(name, common.cwd, environment.PATH);
  const unmarked = { integrated: false, lineFile: undefined, forgetSecret: () => undefined };
  return { ...common, ...unmarked, program, args, environment, kind: "other", direct: true };
}

/**
 * Finds a program as execvp(3) does: a name with a slash relative to the folder, others along PATH. Throws
 * `spawn_failed`.
 */
function findProgram(name: string, cwd: string, path = ""): string {
  if (process.platform === "win32") return name;
  if (name.includes("/")) {
    const full = resolve(cwd, name);
    if (isProgram(full)) return full;
    throw new RemoteError("spawn_failed", `${quoted(name)} is not a program that may be executed.`);
  }
  const folders = path.split(delimiter).map((folder) => (isAbsolute(folder) ? folder : resolve(cwd, folder)));
  const found = folders.map((folder) => join(folder, name)).find(isProgram);
  if (found !== undefined) return found;
  throw new RemoteError("spawn_failed", `No program ${quoted(name)} is in PATH; give its full path, or install it.`);
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}

/** Removes POSIXLY_CORRECT: in POSIX mode bash reads other files at its start; its start-up file enables the mode. */
function withoutPosix(inherited: NodeJS.ProcessEnv, kind: ShellKind): NodeJS.ProcessEnv {
  return kind === "bash" ? { ...inherited, POSIXLY_CORRECT: undefined } : inherited;
}
