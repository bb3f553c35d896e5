import type { Request, Response } from "express";
import { type MethodName, methodNames, specs } from "../../../core/commands/specs.ts";
import { procedureOf } from "../../../core/procedures/index.ts";
import type { ClientId, CommandTarget } from "../../../core/protocol/ids.ts";
import type { Outcome } from "../../../core/protocol/outcome.ts";
import type { Log } from "../../system/log.ts";
import { checkOwner } from "../access/permits/permit.ts";
import type { Calls } from "../calls/calls.ts";
import { parseTimeout, readCommand } from "../calls/read-command.ts";
import {
  type Answer,
  CHALLENGE,
  errorAnswer,
  type Headers,
  jsonAnswer,
  sendAnswer,
  toRemoteError,
} from "../net/send.ts";
import type { Sessions } from "../session/sessions.ts";
import type { AuditedCalls } from "./audit-calls.ts";
import type { Auth } from "./auth.ts";
import { jsonBody } from "./body.ts";
import { ClientQuery, queryOf } from "./query.ts";
import type { RouteAdder } from "./route-table.ts";
import { untilGone } from "./until-gone.ts";

const REMOTE = "/v1/sessions/:session/remote";
export const COMMAND = `${REMOTE}/command`;
type SessionRequest = Request<{ session: string }>;

interface RemoteRoutesOptions {
  readonly calls: Calls;
  readonly sessions: Sessions;
  readonly auth: Auth;
  readonly audited: AuditedCalls;
  readonly commandTimeoutMs: number;
  readonly log: Log;
}

/**
 * `POST remote/command`, which calls every procedure by its name, and the eight GET shortcuts. Returns a function that adds
 * them with their whole paths, because nested routers would slow every command down.
 */
export function remoteRoutes({
  calls,
  sessions,
  auth,
  audited,
  commandTimeoutMs,
  log,
}: RemoteRoutesOptions): (routes: RouteAdder) => void {
  const send = (response: Response, outcome: Outcome) => sendAnswer(response, answerTo(outcome, log));

  const command = async (request: SessionRequest, response: Response) => {
    const principal = auth.caller(request);
    const session = sessions.get(request.params.session);
    checkOwner(principal, session);
    queryOf(request);
    const body: unknown = await jsonBody(request, response, { mayBeEmpty: false });
    auth.checkStillValid(principal);
    const { method, params, options } = readCommand(body, request.headers, commandTimeoutMs);
    const scope = bearerScopeOf(method);
    const caller = auth.callerOf(request, scope === undefined ? principal : auth.bearer(request, scope));
    audited.call(request);
    const gone = () => untilGone(request, response);
    send(response, await calls.call(caller, method, params, { ...options, session: session.id, gone }));
  };

  const get = (method: MethodName) => async (request: SessionRequest, response: Response) => {
    const principal = auth.caller(request);
    const session = sessions.get(request.params.session);
    checkOwner(principal, session);
    const { client } = queryOf(request, ClientQuery);
    const timeoutMs = parseTimeout(request.headers["x-service-timeout"], commandTimeoutMs);
    const options = { session: session.id, client, timeoutMs, chooseBy: "?client=" };
    send(response, await calls.call(auth.callerOf(request, principal), method, {}, options));
  };

  return (router) => {
    router.post(COMMAND, command);
    for (const method of methodNames) {
      const { shortcut } = specs[method];
      if (shortcut !== undefined) router.get(`${REMOTE}/${shortcut}`, get(method));
    }
  };
}

/** Returns the scope of the bearer token that a procedure takes in place of the API key. */
function bearerScopeOf(method: string): string | undefined {
  const procedure = procedureOf(method);
  return procedure?.kind === "operation" ? procedure.spec.bearer : undefined;
}

/** Returns the answer with the result or the error, and the affected client, tile and shell in its headers in either case. */
export function answerTo(outcome: Outcome, log: Log): Answer {
  const { client, replayed } = outcome;
  const repeated: Headers = replayed === true ? { "Idempotency-Replayed": "true" } : {};
  if (!("error" in outcome)) {
    return jsonAnswer({ result: outcome.value ?? null }, { ...repeated, ...hitHeaders(client, outcome.hit) });
  }
  const error = toRemoteError(outcome.error, log);
  // A caller whose credential has ended learns no more about the session.
  const hit = error.code === "unauthenticated" ? CHALLENGE : hitHeaders(client, error.hit);
  return errorAnswer(error, { ...repeated, ...hit });
}

function hitHeaders(client: ClientId | undefined, { tile, shell }: CommandTarget): Headers {
  if (client === undefined) return {};
  const headers: Headers = { "X-Service-Client": client };
  if (tile !== undefined) headers["X-Service-Tile"] = tile;
  if (shell !== undefined) headers["X-Service-Shell"] = shell;
  return headers;
}
