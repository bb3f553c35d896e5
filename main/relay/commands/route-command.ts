import type { CommandSpec } from "../../../core/commands/command.ts";
import { type MethodName, methodNames, specOf, specs } from "../../../core/commands/specs.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { formatSeconds } from "../../../core/protocol/format-seconds.ts";
import type { ClientId } from "../../../core/protocol/ids.ts";
import { COMMAND_TIMEOUT_MS } from "../../../core/protocol/limits.ts";
import type { CommandSuccess } from "../../../core/protocol/outcome.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";
import { relayOps } from "../../../core/protocol/relay-ops.ts";
import { checkRole } from "../../../core/protocol/roles.ts";
import { didYouMeanOneOf, suggestNames } from "../../../core/protocol/suggest-names.ts";
import { guardCommand } from "../access/permits/guard-command.ts";
import type { Permit } from "../access/permits/permit.ts";
import type { ClientConnection } from "../session/client-connection.ts";
import type { CommandResponse } from "../session/pending-requests.ts";
import type { Session } from "../session/session.ts";
import { type ClientChoice, chooseClient } from "./choose-client.ts";

export interface RoutedCommand {
  readonly method: string;
  readonly params: unknown;
  readonly target?: number | undefined;
  readonly source?: number | undefined;
  readonly timeoutMs?: number | undefined;
  /** How the caller names a client; default: as in a request's body. */
  readonly chooseBy?: string;
  /** The caller's permit; undefined if the caller has all rights of the owner. */
  readonly permit?: Permit | undefined;
  /** Called with the chosen client, before the command is sent. */
  readonly onChosen?: (client: ClientId) => void;
}

/**
 * Sends a command to the client that executes it and returns the result (docs/decisions/0002). Rejects with a RemoteError
 * if the request is invalid, the choice of client is ambiguous, or the client refuses or does not answer in time.
 */
export async function routeCommand(session: Session, command: RoutedCommand): Promise<CommandSuccess> {
  const { method, target, timeoutMs = COMMAND_TIMEOUT_MS } = command;
  const spec = specOf(method) ?? unknownMethod(method);
  if (spec.untargeted === true && target !== undefined) {
    throw new RemoteError("invalid_request", `${method} reaches every client: it cannot be aimed at one.`);
  }
  const given = parseParams(spec.params, command.params);
  const guard = guardCommand(session, { ...command, spec, params: given });
  const source = guard.source === undefined ? undefined : session.shells.get(guard.source as never);
  const waitedMs = session.clients.size === 0 ? await waitForClient(session, timeoutMs) : 0;
  const { chooseBy = "target_client_id" } = command;
  const shellOwner = source?.ownerClientId ?? undefined;
  const chosen = choose(session, { explicit: target, shellOwner, scope: spec.scope, chooseBy });
  // Before `onChosen`: a request that is refused here may be repeated after its caller got more rights.
  const { params, recordResult } = guard.forClient(chosen.id);
  command.onChosen?.(chosen.id);
  checkRole(method, spec.role, chosen.record.role);
  const leftMs = Math.max(1, timeoutMs - waitedMs);
  const request = { method, params, source: source?.id, timeoutMs: leftMs, permit: command.permit };
  const response = await chosen.execute(request);
  const value = checkedResult(method, spec, response, chosen.id);
  const { hit } = response;
  recordResult(value);
  return { value, hit, client: chosen.id };
}

/** Waits for a client to connect. Resolves to the milliseconds waited. */
async function waitForClient(session: Session, timeoutMs: number): Promise<number> {
  const start = performance.now();
  if (await session.clients.waitForClient(timeoutMs)) return performance.now() - start;
  throw new RemoteError(
    "no_client",
    `No client connected to the session within ${formatSeconds(timeoutMs)}: open it in the app or in a browser.`,
  );
}

function choose(session: Session, wanted: ClientChoice): ClientConnection {
  const { only } = session.clients;
  if (only !== undefined && wanted.explicit === undefined) return only;
  const candidates = session.clients.connected.map((connection) => ({
    id: connection.id,
    name: connection.record.name,
    clientKind: connection.record.clientKind,
    device: connection.record.device,
    lastActive: connection.lastActive,
    connection,
  }));
  return chooseClient(candidates, wanted).connection;
}

/** Validates a client's result against the method's declaration: a client may be old, or not ours. */
function checkedResult(method: string, spec: CommandSpec, { value, op }: CommandResponse, client: ClientId): unknown {
  // A delegated operation with the same declaration was validated already.
  if (op !== undefined && relayOps[op].result === spec.result) return value;
  const parsed = spec.result.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = ["result", ...(issue?.path ?? [])].map(String).join(".");
  throw new RemoteError(
    "client_failed",
    `Client ${client} answered ${method} with something else than its result (${where}: ${issue?.message ?? "not valid"}); reload it, or choose another client.`,
  );
}

function unknownMethod(method: string): never {
  const meant = suggestNames(method, methodSpellings());
  const hint = meant.length === 0 ? " GET /v1/openapi.json lists them." : didYouMeanOneOf(meant);
  throw new RemoteError("unknown_method", `No method ${JSON.stringify(method.slice(0, 60))}.${hint}`);
}

/** Returns every method under its own name and its names on the command line. */
function methodSpellings(): (readonly [string, MethodName])[] {
  return methodNames.flatMap((method) =>
    [method, ...specs[method].cli.map((form) => form.name)].map((name) => [name, method] as const),
  );
}
