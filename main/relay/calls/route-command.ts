import { type CommandSpec, readsOnly } from "../../../core/commands/command.ts";
import { type MethodName, specs } from "../../../core/commands/specs.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { formatSeconds } from "../../../core/protocol/format-seconds.ts";
import type { ClientId, ShellId, TileKey } from "../../../core/protocol/ids.ts";
import type { Lifetime } from "../../../core/protocol/lifetime.ts";
import { COMMAND_TIMEOUT_MS } from "../../../core/protocol/limits.ts";
import type { CallSuccess } from "../../../core/protocol/outcome.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";
import { type Shell, TileResult } from "../../../core/protocol/records.ts";
import { checkRole } from "../../../core/protocol/roles.ts";
import type { Caller } from "../access/permits/caller.ts";
import { guardCommand } from "../access/permits/guard-command.ts";
import type { ClientConnection } from "../session/client-connection.ts";
import type { CommandResponse } from "../session/pending-requests.ts";
import type { Session } from "../session/session.ts";
import { chooseExecutor, type Executor } from "./choose-client.ts";

export interface RoutedCommand {
  readonly method: MethodName;
  readonly params: unknown;
  readonly target?: number | undefined;
  readonly source?: number | undefined;
  readonly timeoutMs?: number | undefined;
  /** How the caller names a client; default: as in a request's body. */
  readonly chooseBy?: string | undefined;
  /** Called with the parameters as they were read: by their declared names, with what they leave out. */
  readonly onRead?: (params: object) => void;
  /** The command fails at the end of its lifetime. */
  readonly caller: Caller;
}

/**
 * Has a command executed by the client that is chosen for it, or by the relay itself, and returns the result
 * (docs/decisions/0002, docs/decisions/0022). Rejects with a RemoteError if the request is invalid, the choice of client is
 * ambiguous, the client refuses or does not answer in time, or the caller's credential ends.
 *
 * @param onChosen called with the chosen client, before the command is sent
 */
export async function routeCommand(
  session: Session,
  command: RoutedCommand,
  onChosen: (client: ClientId) => void = () => undefined,
): Promise<CallSuccess> {
  const { method, target, timeoutMs = COMMAND_TIMEOUT_MS, caller } = command;
  const spec = specs[method];
  if (spec.untargeted === true && target !== undefined) {
    throw new RemoteError("invalid_request", `${method} reaches every client: it cannot be aimed at one.`);
  }
  const given = parseParams(spec.params, command.params);
  command.onRead?.(given);
  const { permit, lifetime } = caller;
  const guard = guardCommand(session, { permit, method, spec, params: given, source: command.source });
  const source = guard.source === undefined ? undefined : sourceShell(session, guard.source);
  const waitedMs = session.clients.size === 0 ? await waitForClient(session, timeoutMs, lifetime) : 0;
  const chosen = choose(session, command, { spec, shellOwner: source?.ownerClientId ?? undefined });
  const client = chosen.client?.id ?? session.clients.relayUser.id;
  // Before `onChosen`: a request that is refused here may be repeated after its caller got more rights.
  const { params, recordResult } = guard.forClient(client);
  onChosen(client);
  const timeLeftMs = Math.max(1, timeoutMs - waitedMs);
  const request = { method, params, source: source?.id, timeoutMs: timeLeftMs, caller };
  const response = await execute(session, { ...request, spec, chosen, isAimed: target !== undefined });
  const value = checkedResult(method, spec, response, client);
  const { hit } = response;
  recordResult(value);
  return { value, hit, client };
}

const NAMES_CLIENT = "target_client_id";

interface ChosenCommand {
  readonly method: MethodName;
  readonly params: Readonly<Record<string, unknown>>;
  readonly source: ShellId | undefined;
  readonly timeoutMs: number;
  readonly caller: Caller;
  readonly spec: CommandSpec;
  readonly chosen: Executor<{ readonly id: ClientId; readonly connection: ClientConnection }>;
  /** Whether the caller named the client. */
  readonly isAimed: boolean;
}

/** Executes a command in its client, or in the relay. */
async function execute(
  session: Session,
  { spec, chosen: { by, client }, isAimed, ...request }: ChosenCommand,
): Promise<CommandResponse> {
  const { method, caller } = request;
  if (by === "client" && client !== undefined) {
    checkRole(method, spec.role, client.connection.record.role);
    return client.connection.execute(request);
  }
  if (spec.scope === "session" && spec.onScreen === true) {
    return executeForOnlyScreen(session, request, client?.connection);
  }
  // A guest's client that was not named lends its screen only: the owner's command keeps the owner's rights.
  const inItsName =
    client?.connection.isGuest !== true || isAimed || readsOnly(spec) || caller.permit?.person?.client === client?.id;
  const user = client !== undefined && inItsName ? client.connection.record : session.clients.relayUser;
  checkRole(method, spec.role, user.role);
  const saved = client === undefined ? undefined : session.clients.savedStateOf(client.id);
  return session.executor.execute({ ...request, user, saved });
}

/**
 * Executes a command of the session that also opens a tile, without a client of the owner. The relay executes it, so that
 * no guest learns how or answers for it; the only screen, if there is one, shows the new shell. The shell belongs to the
 * person at that screen if they may type, because nobody else is there who could.
 */
async function executeForOnlyScreen(
  { clients, executor }: Session,
  request: Omit<ChosenCommand, "spec" | "chosen" | "isAimed">,
  only: ClientConnection | undefined,
): Promise<CommandResponse> {
  const screen = request.params.tile === false ? undefined : only;
  const mayType = screen !== undefined && screen.record.role !== "reader";
  const response = await executor.execute({
    ...request,
    params: { ...request.params, tile: false },
    user: mayType ? screen.record : clients.relayUser,
    saved: undefined,
  });
  const { shell } = response.hit;
  if (screen === undefined || shell === undefined) return response;
  if (!mayType) {
    screen.send({ type: "adopted", shell, focus: request.params.focus !== false });
    return response;
  }
  const { caller, timeoutMs, params } = request;
  const key = await openTile(screen, { type: "shell", shell, focus: params.focus }, { caller, timeoutMs });
  if (key === undefined) return response;
  return { ...response, value: Object.assign({}, response.value, { key }), hit: { ...response.hit, tile: key } };
}

/** Opens a tile on a client's screen. Resolves to its key; to undefined if the client did not open it. */
async function openTile(
  client: ClientConnection,
  params: object,
  limits: Pick<ChosenCommand, "caller" | "timeoutMs">,
): Promise<TileKey | undefined> {
  const parsed = parseParams(specs.openTile.params, params);
  try {
    const { value } = await client.execute({ method: "openTile", params: parsed, ...limits });
    return TileResult.safeParse(value).data?.key;
  } catch {
    return undefined;
  }
}

/** Waits for a client to connect. Resolves to the milliseconds waited. Rejects with `no_client` after the timeout. */
export async function waitForClient(
  session: Session,
  timeoutMs: number = COMMAND_TIMEOUT_MS,
  lifetime?: Lifetime,
): Promise<number> {
  const start = performance.now();
  if (await session.clients.waitForClient(timeoutMs, lifetime)) return performance.now() - start;
  throw new RemoteError(
    "no_client",
    `No client connected to the session within ${formatSeconds(timeoutMs)}: open it in the app or in a browser.`,
  );
}

function choose(
  { clients }: Session,
  { target: explicit, chooseBy = NAMES_CLIENT, caller: { permit } }: RoutedCommand,
  { spec, shellOwner }: { spec: CommandSpec; shellOwner: ClientId | undefined },
): ChosenCommand["chosen"] {
  const { scope, onScreen = scope === "client" } = spec;
  const { only } = clients;
  if (only !== undefined && !only.isGuest && explicit === undefined) {
    return { by: onScreen ? "client" : "relay", client: { id: only.id, connection: only } };
  }
  const candidates = clients.connected.map((connection) => ({
    id: connection.id,
    name: connection.record.name,
    clientKind: connection.record.clientKind,
    device: connection.record.device,
    lastActive: connection.lastActive,
    guest: connection.isGuest,
    connection,
  }));
  const callingGuest = permit?.person?.client;
  const words = spec.toAll === true ? `${chooseBy}, or all of yours with "all"` : chooseBy;
  return chooseExecutor(candidates, { explicit, shellOwner, scope, onScreen, callingGuest, chooseBy: words });
}

/** Validates a client's result against the method's declaration: a client may be old, or not ours. */
function checkedResult(method: string, spec: CommandSpec, { value }: CommandResponse, client: ClientId): unknown {
  const parsed = spec.result.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = ["result", ...(issue?.path ?? [])].map(String).join(".");
  throw new RemoteError(
    "client_failed",
    `Client ${client} answered ${method} with something else than its result (${where}: ${issue?.message ?? "not valid"}); reload it, or choose another client.`,
  );
}

/** Returns the shell that a command comes from. @throws RemoteError `unknown_shell` */
function sourceShell({ shells }: Session, id: number): Shell {
  const shell = shells.find(id as ShellId);
  if (shell !== undefined) return shell;
  throw new RemoteError(
    "unknown_shell",
    `The call says that it comes from shell ${id} (source_shell_id, on the command line SERVICE_SHELL_ID), which is not in this session, or was closed: leave it out.`,
  );
}
