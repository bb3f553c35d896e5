import type { Request, Response } from "express";
import { z } from "zod";
import { readsOnly, waits } from "../../../core/commands/command.ts";
import { type MethodName, methodNames, specOf, specs } from "../../../core/commands/specs.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ClientId, CommandTarget } from "../../../core/protocol/ids.ts";
import { MAX_COMMAND_TIMEOUT_MS } from "../../../core/protocol/limits.ts";
import type { CommandSuccess, Outcome } from "../../../core/protocol/outcome.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";
import type { Principal } from "../access/keys.ts";
import { callerOf } from "../access/permits/caller.ts";
import { checkOwner, type PermitOf } from "../access/permits/permit.ts";
import { Idempotency } from "../commands/idempotency.ts";
import { measuredCommands } from "../commands/measured-commands.ts";
import { type RoutedCommand, routeCommand } from "../commands/route-command.ts";
import { routeToAll } from "../commands/route-to-all.ts";
import type { MetricsRecorder } from "../metrics/metrics-recorder.ts";
import { type Headers, sendJson } from "../net/send.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import type { RequestRows } from "../store/request-rows.ts";
import type { AuditedCalls } from "./audit-calls.ts";
import type { Auth } from "./auth.ts";
import { jsonBody } from "./body.ts";
import { ClientQuery, queryOf } from "./query.ts";
import type { RouteAdder } from "./route-table.ts";
import { untilGone } from "./until-gone.ts";

const CommandBody = z.object({
  method: z.string().min(1),
  params: z.custom<object>((value) => typeof value === "object" && value !== null && !Array.isArray(value), {
    error: "expected an object, empty when there are none",
  }),
  target_client_id: z.union([z.int().min(0), z.literal("all")]).optional(),
  source_shell_id: z.int().min(0).optional(),
});

const REMOTE = "/v1/sessions/:session/remote";
type SessionRequest = Request<{ session: string }>;

interface RemoteRoutesOptions {
  readonly sessions: Sessions;
  readonly auth: Auth;
  readonly permitOf: PermitOf;
  readonly audited: AuditedCalls;
  readonly commandTimeoutMs: number;
  readonly requests: RequestRows;
  readonly metrics: MetricsRecorder;
}

/**
 * `POST remote/command` and the eight GET shortcuts, which derive from the declarations. Returns a function that adds them
 * with their whole paths, because nested routers would slow every command down.
 */
export function remoteRoutes({
  sessions,
  auth,
  permitOf,
  audited,
  commandTimeoutMs,
  requests,
  metrics,
}: RemoteRoutesOptions): (routes: RouteAdder) => void {
  const execute = measuredCommands(metrics, outcomeOf(routeCommand));
  const executeForAll = measuredCommands(metrics, outcomeOf(routeToAll));
  const idempotency = new Idempotency<Outcome>(requests);

  const command = async (request: SessionRequest, response: Response) => {
    const principal = auth.caller(request);
    const session = sessions.get(request.params.session);
    checkOwner(principal, session);
    queryOf(request);
    const body: unknown = await jsonBody(request, response, { mayBeEmpty: false });
    auth.checkStillValid(principal);
    const {
      method,
      params,
      target_client_id: target,
      source_shell_id: source,
    } = parseParams(CommandBody, body, "body");
    const told = audited.command(request, method, params);
    const timeoutMs = timeoutOf(request, commandTimeoutMs);
    const permit = await permitOf(principal, { reads: reads(method) });
    const key = request.headers["idempotency-key"];
    const valid = auth.lifetimeOf(principal);
    // A caller with a key may come back for the answer.
    const lifetime = key === undefined && isWait(method, params) ? untilGone(request, response, valid) : valid;
    const caller = { ...callerOf(principal, { from: request.socket.remoteAddress ?? "", lifetime }), permit };
    // A command with a shell's token comes from that shell by default.
    const sourceShell = source ?? (permit?.ownership === undefined ? principal.shell : undefined);
    const routed: RoutedCommand = {
      method,
      params,
      target: target === "all" ? undefined : target,
      source: sourceShell,
      timeoutMs,
      caller,
    };
    const run = () => (target === "all" ? executeForAll : execute)(session, routed);
    if (typeof key !== "string") {
      const outcome = await run();
      told.client = outcome.client;
      return sendOutcome(response, outcome);
    }
    const owner = `${ownerOf(principal)}\n${session.id}`;
    const { answer, replayed } = await idempotency.once({ owner, key: checkKey(key), body, run, counts: wasAsked });
    Object.assign(told, { client: answer.client, replayed });
    if (replayed) response.setHeader("Idempotency-Replayed", "true");
    sendOutcome(response, answer);
  };

  const get = (method: MethodName) => async (request: SessionRequest, response: Response) => {
    const principal = auth.caller(request);
    const session = sessions.get(request.params.session);
    checkOwner(principal, session);
    const { client: target } = queryOf(request, ClientQuery);
    const timeoutMs = timeoutOf(request, commandTimeoutMs);
    const permit = await permitOf(principal, { reads: true });
    const lifetime = auth.lifetimeOf(principal);
    const caller = { ...callerOf(principal, { from: request.socket.remoteAddress ?? "", lifetime }), permit };
    const command = { method, params: {}, target, timeoutMs, caller, chooseBy: "?client=" };
    sendOutcome(response, await execute(session, command));
  };

  return (router) => {
    router.post(`${REMOTE}/command`, command);
    for (const method of methodNames) {
      const { shortcut } = specs[method];
      if (shortcut !== undefined) router.get(`${REMOTE}/${shortcut}`, get(method));
    }
  };
}

/** Returns whether every role may call a method that only reads, so that the caller's rights need not be determined. */
function reads(method: string): boolean {
  const spec = specOf(method);
  return spec !== undefined && spec.role === "reader" && readsOnly(spec);
}

function isWait(method: string, params: object): boolean {
  const spec = specOf(method);
  return spec !== undefined && waits(spec, params);
}

/** Separates the stored answers of callers with different rights. */
function ownerOf({ user, key, shell }: Principal): string {
  return `${user}\n${shell === undefined ? `key ${key}` : `shell ${shell}`}`;
}

type Route = (
  session: Session,
  command: RoutedCommand,
  onChosen: (client: ClientId) => void,
) => Promise<CommandSuccess>;

function outcomeOf(route: Route): (session: Session, command: RoutedCommand) => Promise<Outcome> {
  return async (session, command) => {
    let client: ClientId | undefined;
    const onChosen = (chosen: ClientId) => {
      client = chosen;
    };
    try {
      return await route(session, command, onChosen);
    } catch (error) {
      if (error instanceof RemoteError) return { error, client };
      throw error;
    }
  };
}

/** Returns whether a request was executed. One that was refused before that may be repeated. */
function wasAsked(outcome: Outcome): boolean {
  if ("error" in outcome && outcome.error.code === "too_many_requests") return false;
  return outcome.client !== undefined;
}

/** Sends the result or throws the error, and names the affected client, tile and shell in headers in either case. */
function sendOutcome(response: Response, outcome: Outcome): void {
  if ("error" in outcome) {
    const { client, error } = outcome;
    // A caller whose credential has ended learns no more about the session.
    if (client !== undefined && error.code !== "unauthenticated") {
      for (const [name, id] of Object.entries(hitHeaders(client, error.hit))) response.setHeader(name, id);
    }
    throw error;
  }
  const { value, client, hit } = outcome;
  sendJson(response, { result: value ?? null }, hitHeaders(client, hit));
}

function hitHeaders(client: ClientId, { tile, shell }: CommandTarget): Headers {
  const headers: Headers = { "X-Service-Client": client };
  if (tile !== undefined) headers["X-Service-Tile"] = tile;
  if (shell !== undefined) headers["X-Service-Shell"] = shell;
  return headers;
}

const DECIMAL = /^(\d{1,9}(\.\d*)?|\.\d+)$/;

/** Reads the header `X-Service-Timeout`, in decimal seconds up to 60; by default the relay's own timeout. */
function timeoutOf({ headers }: Request, usual: number): number {
  const given = headers["x-service-timeout"];
  if (given === undefined) return usual;
  const ms = typeof given === "string" && DECIMAL.test(given) ? Number(given) * 1000 : 0;
  if (ms > 0 && ms <= MAX_COMMAND_TIMEOUT_MS) return ms;
  const most = MAX_COMMAND_TIMEOUT_MS / 1000;
  throw new RemoteError(
    "invalid_params",
    `X-Service-Timeout: expected seconds, above 0 and up to ${most}, got ${JSON.stringify(given)}.`,
  );
}

function checkKey(key: string): string {
  if (key.length > 0 && key.length <= 255) return key;
  throw new RemoteError("invalid_params", "Idempotency-Key: expected 1 to 255 characters.");
}
