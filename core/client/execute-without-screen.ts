import { CommandContext, Delegated, type Self } from "../commands/context.ts";
import { type MethodName, runnable } from "../commands/index.ts";
import { withTarget } from "../protocol/errors.ts";
import type { CommandTarget, ShellId } from "../protocol/ids.ts";
import type { SessionMirror } from "../protocol/mirror.ts";
import type { RelayOp } from "../protocol/relay-ops.ts";
import { freshState, restoreState } from "../state/client-state.ts";
import { ClientStore } from "../state/client-store.ts";
import type { AskRelay, ClientHost } from "../state/ports.ts";

interface ScreenlessCommand {
  readonly method: MethodName;
  /** Parsed. */
  readonly params: unknown;
  /** The shell that the caller runs in, if any. */
  readonly source: ShellId | undefined;
  /** The client in whose name the command is executed. */
  readonly self: Self;
  /** Returns the session as it is now. */
  readonly mirror: () => SessionMirror;
  /** The state that the client saved last, from which labels and the focused tile are read; undefined for none. */
  readonly saved: unknown;
  /** Runs an operation of the relay. */
  readonly operate: (op: RelayOp, params: unknown) => Promise<unknown>;
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
 * Executes a command that needs no screen (`onScreen` in its declaration) without a client, in a client's name. Rejects
 * with a RemoteError as the command or the relay refuses it.
 *
 * @returns the result, the tile and shell that it acted on, and the operation that it was delegated to, if any
 */
export async function executeWithoutScreen({
  method,
  params,
  source,
  self,
  mirror,
  saved,
  operate,
}: ScreenlessCommand): Promise<{ value: unknown; hit: CommandTarget; op?: RelayOp }> {
  const context = new CommandContext({
    self,
    mirror,
    source,
    state: new ClientStore(restoreState(saved) ?? freshState),
    host: NO_SCREEN,
    ask: operate as AskRelay,
  });
  const { hit } = context;
  try {
    const value: unknown = await runnable[method].run(context, params as never);
    if (!(value instanceof Delegated)) return { value, hit };
    return { value: await operate(value.op, value.params), hit, op: value.op };
  } catch (error) {
    throw withTarget(error, hit);
  }
}
