import type { Request, Response } from "express";
import { z } from "zod";
import { type MethodName, methodNames, specs } from "../../../core/commands/specs.ts";
import { procedureOf } from "../../../core/procedures/index.ts";
import type { ClientId, CommandTarget } from "../../../core/protocol/ids.ts";
import type { Outcome } from "../../../core/protocol/outcome.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";
import { checkOwner } from "../access/permits/permit.ts";
import { checkIdempotencyKey, parseTimeout } from "../calls/call-headers.ts";
import type { Calls } from "../calls/calls.ts";
import { type Headers, sendJson } from "../net/send.ts";
import type { Sessions } from "../session/sessions.ts";
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
  readonly calls: Calls;
  readonly sessions: Sessions;
  readonly auth: Auth;
  readonly audited: AuditedCalls;
  readonly commandTimeoutMs: number;
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
}: RemoteRoutesOptions): (routes: RouteAdder) => void {
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
      target_client_id: client,
      source_shell_id: source,
    } = parseParams(CommandBody, body, "body");
    const scope = bearerScopeOf(method);
    const caller = auth.callerOf(request, scope === undefined ? principal : auth.bearer(request, scope));
    const timeoutMs = parseTimeout(request.headers["x-service-timeout"], commandTimeoutMs);
    const key = request.headers["idempotency-key"];
    const idempotency = typeof key === "string" ? { key: checkIdempotencyKey(key), body } : undefined;
    audited.call(request);
    const gone = () => untilGone(request, response);
    const options = { session: session.id, client, source, timeoutMs, idempotency, gone };
    sendOutcome(response, await calls.call(caller, method, params, options));
  };

  const get = (method: MethodName) => async (request: SessionRequest, response: Response) => {
    const principal = auth.caller(request);
    const session = sessions.get(request.params.session);
    checkOwner(principal, session);
    const { client } = queryOf(request, ClientQuery);
    const timeoutMs = parseTimeout(request.headers["x-service-timeout"], commandTimeoutMs);
    const options = { session: session.id, client, timeoutMs, chooseBy: "?client=" };
    sendOutcome(response, await calls.call(auth.callerOf(request, principal), method, {}, options));
  };

  return (router) => {
    router.post(`${REMOTE}/command`, command);
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

/** Sends the result or throws the error, and names the affected client, tile and shell in headers in either case. */
function sendOutcome(response: Response, outcome: Outcome): void {
  const { client, replayed } = outcome;
  if (replayed === true) response.setHeader("Idempotency-Replayed", "true");
  if ("error" in outcome) {
    const { error } = outcome;
    // A caller whose credential has ended learns no more about the session.
    if (error.code !== "unauthenticated") {
      for (const [name, id] of Object.entries(hitHeaders(client, error.hit))) response.setHeader(name, id);
    }
    throw error;
  }
  sendJson(response, { result: outcome.value ?? null }, hitHeaders(client, outcome.hit));
}

function hitHeaders(client: ClientId | undefined, { tile, shell }: CommandTarget): Headers {
  if (client === undefined) return {};
  const headers: Headers = { "X-Service-Client": client };
  if (tile !== undefined) headers["X-Service-Tile"] = tile;
  if (shell !== undefined) headers["X-Service-Shell"] = shell;
  return headers;
}
