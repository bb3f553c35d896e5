import { executeWithoutScreen } from "../../../core/client/execute-without-screen.ts";
import type { MethodName } from "../../../core/commands/specs.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { Caller } from "../access/permits/caller.ts";
import type { RunOperation } from "./operations.ts";
import { type CommandResponse, endWith } from "./pending-requests.ts";
import type { SessionState } from "./session-state.ts";
import type { ShellUser } from "./shells.ts";

interface RelayExecutorOptions {
  readonly state: SessionState;
  readonly operate: RunOperation;
}

interface RelayCommand {
  readonly method: string;
  /** Parsed. */
  readonly params: unknown;
  readonly source: ShellId | undefined;
  /** Milliseconds until the operations of the command count as not answered. */
  readonly timeoutMs: number;
  readonly caller: Caller;
  /** The client, or the session's owner, in whose name and with whose role the command is executed. */
  readonly user: ShellUser;
  /** The state that the client whose screen is meant saved last; undefined for none. */
  readonly saved: unknown;
}

/**
 * Executes the commands that need no screen in the relay itself, so that no guest's client learns of them or answers
 * them (docs/decisions/0022).
 */
export class RelayExecutor {
  readonly #options: RelayExecutorOptions;

  constructor(options: RelayExecutorOptions) {
    this.#options = options;
  }

  /** Rejects with a RemoteError as the command or one of its operations is refused. */
  execute({ method, params, source, timeoutMs, caller, user, saved }: RelayCommand): Promise<CommandResponse> {
    const { state, operate } = this.#options;
    const { lifetime } = caller;
    const deadline = performance.now() + timeoutMs;
    const done = executeWithoutScreen({
      method: method as MethodName,
      params,
      source,
      self: user,
      mirror: () => state.now,
      saved,
      operate: (op, asked) => operate(user, op, asked, caller, { withinMs: Math.max(1, deadline - performance.now()) }),
    });
    return lifetime === undefined ? done : endWith(done, lifetime);
  }
}
