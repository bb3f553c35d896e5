import type { IncomingMessage, ServerResponse } from "node:http";
import type { NextFunction } from "express";
import type { Principal } from "../access/keys.ts";
import type { Audit } from "../audit/audit.ts";
import { auditIdentity } from "../audit/audit-fields.ts";
import { remoteNetwork } from "../net/remote-network.ts";

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** What the handlers of a request have recorded about it. */
interface RecordedRequest {
  principal?: Principal;
  /** Set for a call of a procedure, which has its own audit entry. */
  isCall?: true;
}

/**
 * Records every request that may change something and calls no procedure in the audit log, when its response is sent or
 * its caller disconnects.
 */
export class AuditedCalls {
  readonly #audit: Audit;
  readonly #requests = new WeakMap<IncomingMessage, RecordedRequest>();

  constructor(audit: Audit) {
    this.#audit = audit;
  }

  /** Records the authenticated caller of a request. */
  caller(request: IncomingMessage, principal: Principal): void {
    this.#recordOf(request).principal = principal;
    this.authenticated(principal, addressOf(request));
  }

  /** Records an accepted credential. @param from network address of the caller */
  authenticated(principal: Principal, from: string): void {
    const action = principal.scheme === "api" ? "X-Service-Token" : "Authorization: Bearer";
    const { who, credential } = auditIdentity(principal);
    this.#audit.authentication({
      who,
      credential,
      from,
      session: principal.session ?? null,
      action,
      outcome: "ok",
    });
  }

  /** Records a call without a valid credential. @param from network address of the caller */
  failedAuthentication(from: string, outcome: string): void {
    const unknown = { who: null, credential: "none", session: null } as const;
    this.#audit.authentication({ ...unknown, from, action: "authentication", outcome });
  }

  /** Records a guest of the session. */
  guest(request: IncomingMessage, { name, session }: { readonly name: string; readonly session: string }): void {
    const guest = { who: name, credential: "guest", session } as const;
    this.#audit.authentication({ ...guest, from: addressOf(request), action: "cookie", outcome: "ok" });
  }

  /** Marks a request as a call of a procedure, which has its own audit entry. */
  call(request: IncomingMessage): void {
    this.#recordOf(request).isCall = true;
  }

  /** Express middleware. */
  readonly watch = (request: IncomingMessage, response: ServerResponse, next: NextFunction): void => {
    if (!READS.has(request.method ?? "")) {
      // Read now, because routers shorten `url`.
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
    const { principal, isCall } = this.#requests.get(request) ?? {};
    if (isCall) return;
    const { statusCode } = response;
    // Failed authentications have their own entries, and a device polls for its login every few seconds.
    if (principal === undefined && (statusCode === 401 || statusCode === 429)) return;
    if (path.startsWith("/v1/oauth/") && statusCode >= 400) return;
    const from = addressOf(request);
    const outcome = outcomeOf(response);
    const entry = {
      ...auditIdentity(principal),
      from,
      session: /\/(?:sessions|s)\/([^/]+)/.exec(path)?.[1] ?? null,
      action: `${request.method} ${path}`,
      params: {},
      outcome,
      client: null,
      durationMs: Math.round(performance.now() - startedAt),
    };
    // Refused calls without a key are counted, as failed authentications are: any program can make them.
    const what = outcome === "ok" ? entry.action : "";
    const repeats = ["none", remoteNetwork(from), outcome, what].join("\n");
    this.#audit.call(entry, principal === undefined ? { repeats } : {});
  }

  #recordOf(request: IncomingMessage): RecordedRequest {
    const known = this.#requests.get(request);
    if (known !== undefined) return known;
    const recorded: RecordedRequest = {};
    this.#requests.set(request, recorded);
    return recorded;
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
