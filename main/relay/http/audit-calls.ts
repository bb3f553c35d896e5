import type { IncomingMessage, ServerResponse } from "node:http";
import type { NextFunction } from "express";
import { specOf } from "../../../core/commands/specs.ts";
import type { Principal } from "../access/keys.ts";
import type { Audit } from "../audit/audit.ts";
import { auditIdentity, maskedParams } from "../audit/audit-fields.ts";

const READS = new Set(["GET", "HEAD", "OPTIONS"]);
const LONGEST_ACTION = 200;

/** What is said of a request that the audit log tells of. */
interface Told {
  principal?: Principal;
  command?: ToldCommand;
  /** The operation that executes it has an audit entry of its own. */
  isOperation?: true;
}

interface ToldCommand {
  readonly method: string;
  readonly params: object;
  /** Who executed it, once that is known. */
  client?: number | undefined;
  /** It was executed before: that call was told. */
  replayed?: boolean;
}

/** Tells the audit log of every call that changes something, once it is answered (or its caller has gone). */
export class AuditedCalls {
  readonly #audit: Audit;
  readonly #told = new WeakMap<IncomingMessage, Told>();

  constructor(audit: Audit) {
    this.#audit = audit;
  }

  /** Whom the request's credential speaks for. */
  caller(request: IncomingMessage, principal: Principal): void {
    this.#of(request).principal = principal;
    const from = addressOf(request);
    const { scheme } = principal;
    const action = scheme === "api" ? "X-Service-Token" : "Authorization: Bearer";
    this.#audit.authentication({
      ...auditIdentity(principal),
      from,
      session: principal.session ?? null,
      action,
      outcome: "ok",
    });
  }

  /** A request without a credential that counts. */
  failedAuthentication(request: IncomingMessage, outcome: string): void {
    const nobody = { who: null, credential: "none", session: null } as const;
    this.#audit.authentication({ ...nobody, from: addressOf(request), action: "authentication", outcome });
  }

  /** A browser that came in by an invite connects. */
  guest(request: IncomingMessage, { name, session }: { readonly name: string; readonly session: string }): void {
    const guest = { who: name, credential: "guest", session } as const;
    this.#audit.authentication({ ...guest, from: addressOf(request), action: "cookie", outcome: "ok" });
  }

  /** The command that the request carries; the caller fills in what becomes of it. */
  command(request: IncomingMessage, method: string, params: object): ToldCommand {
    const command: ToldCommand = { method, params };
    this.#of(request).command = command;
    return command;
  }

  /** The request is an operation, whose execution writes the audit entry. */
  operation(request: IncomingMessage): void {
    this.#of(request).isOperation = true;
  }

  /** Express middleware. */
  readonly watch = (request: IncomingMessage, response: ServerResponse, next: NextFunction): void => {
    if (!READS.has(request.method ?? "")) {
      // Routers shorten the address as they take their part of it.
      const call = { startedAt: performance.now(), path: (request.url ?? "").split("?", 1)[0] ?? "" };
      response.once("close", () => this.#closed(request, response, call));
    }
    next();
  };

  #closed(
    request: IncomingMessage,
    response: ServerResponse,
    { startedAt, path }: { startedAt: number; path: string },
  ): void {
    const { principal, command, isOperation } = this.#told.get(request) ?? {};
    if (isOperation) return;
    if (command !== undefined && (command.replayed || specOf(command.method)?.role === "reader")) return;
    const { statusCode } = response;
    // That is told as an authentication; and a device that asks whether it may come in does so every few seconds.
    if (statusCode === 401 || statusCode === 429) return;
    if (path.startsWith("/v1/oauth/") && statusCode >= 400) return;
    this.#audit.call({
      ...auditIdentity(principal),
      from: addressOf(request),
      session: /\/(?:sessions|s)\/([^/]+)/.exec(path)?.[1]?.slice(0, 64) ?? null,
      action: (command?.method ?? `${request.method} ${path}`).slice(0, LONGEST_ACTION),
      params: command === undefined ? {} : maskedParams(command.method, command.params),
      outcome: outcomeOf(response),
      client: command?.client ?? null,
      durationMs: Math.round(performance.now() - startedAt),
    });
  }

  #of(request: IncomingMessage): Told {
    const known = this.#told.get(request);
    if (known !== undefined) return known;
    const told: Told = {};
    this.#told.set(request, told);
    return told;
  }
}

function outcomeOf(response: ServerResponse): string {
  if (!response.writableFinished) return "cut";
  const code = response.getHeader("x-service-error");
  return typeof code === "string" ? code : response.statusCode < 400 ? "ok" : String(response.statusCode);
}

function addressOf(request: IncomingMessage): string {
  return request.socket.remoteAddress ?? "";
}
