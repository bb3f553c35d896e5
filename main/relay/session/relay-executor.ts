import { CommandContext } from "../../../core/commands/context.ts";
import { type MethodName, runMethod } from "../../../core/commands/index.ts";
import { RemoteError, withTarget } from "../../../core/protocol/errors.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import { freshState, restoreState } from "../../../core/state/client-state.ts";
import { ClientStore } from "../../../core/state/client-store.ts";
import type { ClientHost } from "../../../core/state/ports.ts";
import type { Caller } from "../access/permits/caller.ts";
import type { RunOperation } from "./operations.ts";
import { type CommandResponse, endWith } from "./pending-requests.ts";
import type { SessionState } from "./session-state.ts";
import type { ShellUser } from "./shell-user.ts";

interface RelayExecutorOptions {
  readonly state: SessionState;
  readonly operate: RunOperation;
}

interface RelayCommand {
  readonly method: MethodName;
  /** Parsed. */
  readonly params: unknown;
  /** The shell that the caller runs in, if any. */
  readonly source: ShellId | undefined;
  /** Milliseconds until the operations of the command count as not answered. */
  readonly timeoutMs: number;
  readonly caller: Caller;
  /** The client, or the session's owner, in whose name and with whose role the command is executed. */
  readonly user: ShellUser;
  /** The state that the client whose screen is meant saved last, from which labels and the focus are read; undefined for none. */
  readonly saved: unknown;
}

/** Reports nothing as shown: commands that show something need a screen. */
const NO_SCREEN: ClientHost = {
  kind: "desktop",
  device: "relay",
  toast: () => "log",
  notify: () => "log",
  viewport: () => ({ cols: 160, rows: 48 }),
};

/**
 * Executes the commands that need no screen (`onScreen` in their declarations) in the relay itself, in a client's name: no
 * client is asked for what the relay knows, and no guest's client learns of them or answers them (docs/decisions/0047).
 */
export class RelayExecutor {
  readonly #options: RelayExecutorOptions;

  constructor(options: RelayExecutorOptions) {
    this.#options = options;
  }

  /** Rejects with a RemoteError as the command or one of its operations is refused. */
  execute(command: RelayCommand): Promise<CommandResponse> {
    const { lifetime } = command.caller;
    if (lifetime?.ended !== undefined) return Promise.reject(lifetime.ended);
    const done = this.#run(command);
    return lifetime === undefined ? done : endWith(done, lifetime);
  }

  async #run({ method, params, source, timeoutMs, caller, user, saved }: RelayCommand): Promise<CommandResponse> {
    const { state: session, operate } = this.#options;
    const deadline = performance.now() + timeoutMs;
    let restored: ClientStore | undefined;
    const context = new CommandContext({
      self: user,
      mirror: () => session.now,
      source,
      // Few commands read it, and it takes longer to parse than most take as a whole.
      state() {
        restored ??= new ClientStore(restoreState(saved) ?? freshState);
        return restored;
      },
      host: NO_SCREEN,
      request: (op, asked) =>
        operate(user, op, asked, caller, { withinMs: Math.max(1, deadline - performance.now()), hit: context.hit }),
    });
    const { hit } = context;
    try {
      return { value: await runMethod(method, context, params), hit };
    } catch (error) {
      const { shell } = hit;
      const isOwn = shell !== undefined && (shell === source || shell === caller.shell);
      throw withTarget(isOwn ? withOwnShell(error, shell) : error, hit);
    }
  }
}

/** Returns the refusal of a command for the shell that its caller runs in, where the caller itself is what runs. */
function withOwnShell(error: unknown, shell: ShellId): unknown {
  if (!(error instanceof RemoteError && error.code === "shell_busy")) return error;
  return new RemoteError(
    "shell_busy",
    `Shell ${shell} is the one that you are in, so this call keeps it busy: name the tile of another shell (params.tile).`,
    { cause: error },
  );
}
