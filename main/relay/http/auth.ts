import type { IncomingMessage } from "node:http";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { Keys, Principal } from "../keys.ts";
import { checkAction, checkUnrestricted } from "../permits/check-call.ts";
import { permitOf } from "../permits/permit.ts";
import type { RouteAction } from "../permits/route-actions.ts";
import type { Session } from "../session.ts";
import type { AuditedCalls } from "./audit-calls.ts";
import { isFromOutside } from "./origin-guard.ts";
import { remoteNetwork } from "./remote-network.ts";

const WINDOW_MS = 60_000;
const FAILURES_ALLOWED = 10;

/** A refusal that carries headers of its own. */
export class AuthError extends RemoteError {
  readonly headers: Record<string, string>;

  constructor(code: "unauthenticated" | "too_many_failures", message: string, headers: Record<string, string>) {
    super(code, message);
    this.headers = headers;
  }
}

/** Checks credentials, and slows down who guesses them: 10 failures a minute from one address (decisions.md §2). */
export class Auth {
  readonly #keys: Keys;
  readonly #audited: AuditedCalls;
  readonly #onCaller: (request: IncomingMessage) => void;
  readonly #failures = new Map<string, { since: number; count: number }>();

  /** `onCaller` hears of every request with a good credential. */
  constructor(keys: Keys, audited: AuditedCalls, onCaller: (request: IncomingMessage) => void = () => undefined) {
    this.#keys = keys;
    this.#audited = audited;
    this.#onCaller = onCaller;
  }

  /**
   * The caller by `X-Service-Token`, who may do what is named; `command` when a command's own declaration decides. What
   * is not named is closed to restricted keys and to shells' tokens. Throws `unauthenticated`, `too_many_failures` or
   * `scope_forbids`.
   */
  apiKey(request: IncomingMessage, action?: RouteAction | "command"): Principal {
    const secret = request.headers["x-service-token"];
    const principal = typeof secret === "string" ? this.#keys.verify(secret, "api") : undefined;
    if (principal !== undefined) {
      this.#audited.caller(request, principal);
      this.#onCaller(request);
      return permitted(fromHere(principal, request), action);
    }
    throw this.#refusal(request, secret !== undefined, {
      message: "Send your API key in the header X-Service-Token: `patchbay keys create --name NAME` makes one.",
      challenge: 'ServiceToken realm="patchbay"',
    });
  }

  /** The caller by `Authorization: Bearer`, whose token must have the scope. */
  bearer(request: IncomingMessage, scope: string): Principal {
    const [scheme, secret] = request.headers.authorization?.split(" ", 2) ?? [];
    const given = scheme?.toLowerCase() === "bearer" && secret !== undefined;
    const principal = given ? this.#keys.verify(secret, "bearer") : undefined;
    if (principal === undefined) {
      throw this.#refusal(request, given, {
        message: `Send a bearer token: \`service token --scope ${scope}\` makes one.`,
        challenge: 'Bearer realm="patchbay"',
      });
    }
    this.#audited.caller(request, principal);
    this.#onCaller(request);
    if (principal.scopes.includes(scope)) return principal;
    throw new RemoteError("scope_forbids", `The token does not have the scope ${scope}.`);
  }

  /** Counts a wrong secret that came in a body. Throws `too_many_failures` when there were too many. */
  countWrong(request: IncomingMessage): void {
    const refusal = this.#refusal(request, true, { message: "", challenge: "" });
    if (refusal.code === "too_many_failures") throw refusal;
  }

  /** A wrong credential counts; a good one is good whatever others on this machine have tried. */
  #refusal(
    request: IncomingMessage,
    given: boolean,
    { message, challenge }: { message: string; challenge: string },
  ): AuthError {
    const wait = given ? this.#countFailure(addressOf(request)) : undefined;
    this.#audited.stranger(request, wait === undefined ? "unauthenticated" : "too_many_failures");
    if (wait !== undefined) {
      const seconds = String(Math.ceil(wait / 1000));
      return new AuthError("too_many_failures", `Too many failed authentications: try again in ${seconds} s.`, {
        "Retry-After": seconds,
      });
    }
    const start = given ? "The credential is not valid for this call. " : "";
    return new AuthError("unauthenticated", start + message, { "WWW-Authenticate": challenge });
  }

  /** Milliseconds until the address may fail again, once it has failed too often. */
  #countFailure(address: string): number | undefined {
    const now = performance.now();
    const failures = this.#failures.get(address);
    if (failures === undefined || now - failures.since > WINDOW_MS) {
      if (this.#failures.size > 10_000) this.#failures.clear();
      this.#failures.set(address, { since: now, count: 1 });
      return undefined;
    }
    failures.count += 1;
    return failures.count > FAILURES_ALLOWED ? failures.since + WINDOW_MS - now : undefined;
  }
}

/** Only the session's owner may act on it, and a shell's token only on its own session (interface.md §5.2). */
export function checkOwner(principal: Principal, session: Session): void {
  if (principal.session !== undefined && principal.session !== session.id) {
    throw new RemoteError("not_owner", "A shell's token is good for its own session only.");
  }
  if (principal.user !== session.owner) {
    throw new RemoteError("not_owner", "Only the session's owner may do this.");
  }
}

/** A shell's token is for the programs in that shell, which are on this machine. */
function fromHere(principal: Principal, request: IncomingMessage): Principal {
  if (principal.shell === undefined || !isFromOutside(request)) return principal;
  throw new RemoteError("scope_forbids", "A shell's token is good on its own machine only: use an API key of yours.");
}

function permitted(principal: Principal, action: RouteAction | "command" | undefined): Principal {
  const permit = permitOf(principal);
  if (permit === undefined || action === "command") return principal;
  if (action === undefined) checkUnrestricted(permit);
  else checkAction(permit, action);
  return principal;
}

function addressOf(request: IncomingMessage): string {
  return remoteNetwork(request.socket.remoteAddress ?? "");
}
