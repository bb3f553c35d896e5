import type { IncomingMessage } from "node:http";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { Lifetime } from "../../../core/protocol/lifetime.ts";
import { WindowLimit } from "../../../core/protocol/rate-limits.ts";
import type { Keys, Principal } from "../access/keys.ts";
import { type Caller, callerOf } from "../access/permits/caller.ts";
import { checkAccess } from "../access/permits/check-call.ts";
import { accountOf, keyPermit, type PermitOf } from "../access/permits/permit.ts";
import { type StreamName, streamAccess } from "../access/permits/stream-access.ts";
import { type FleetPeer, addressOf as fleetAddress, fleetPeerOf } from "../net/fleet-peer.ts";
import { isRemote } from "../net/origin-guard.ts";
import { remoteNetwork } from "../net/remote-network.ts";
import type { Session } from "../session/session.ts";
import type { AuditedCalls } from "./audit-calls.ts";

/** The address of programs of this machine. */
const LOOPBACK = "127.0.0.1";

const NO_KEY = {
  message: "Send your API key in the header X-Service-Token: `patchbay keys create --name NAME` makes one.",
  challenge: 'ServiceToken realm="patchbay"',
} as const;

const FAILURES = { most: 10, windowMs: 60_000 };

/** An authentication error with its response headers. */
export class AuthError extends RemoteError {
  readonly headers: Record<string, string>;

  constructor(code: "unauthenticated" | "too_many_failures", message: string, headers: Record<string, string>) {
    super(code, message);
    this.headers = headers;
  }
}

interface AuthOptions {
  readonly keys: Keys;
  readonly audited: AuditedCalls;
  readonly permitOf: PermitOf;
  /** Called for every request with a valid credential, with the name under which its caller is counted. */
  readonly onCaller: (request: IncomingMessage, account: string) => void;
}

/** Checks credentials and limits guesses to 10 failures a minute from one address (docs/decisions/0003). */
export class Auth {
  readonly #keys: Keys;
  readonly #audited: AuditedCalls;
  readonly #permitOf: PermitOf;
  readonly #onCaller: (request: IncomingMessage, account: string) => void;
  /** By network. */
  readonly #failures = new WindowLimit(FAILURES, () => performance.now());

  constructor({ keys, audited, permitOf, onCaller }: AuthOptions) {
    this.#keys = keys;
    this.#audited = audited;
    this.#permitOf = permitOf;
    this.#onCaller = onCaller;
  }

  /**
   * Returns the caller of `X-Service-Token`, if permitted to open the stream. Rejects with `unauthenticated`, `too_many_failures` or
   * `scope_forbids`.
   */
  async apiKey(request: IncomingMessage, stream: StreamName): Promise<Principal> {
    const principal = this.caller(request);
    const access = streamAccess[stream];
    const permit = await this.#permitOf(principal, { reads: access === "read" });
    if (permit !== undefined) checkAccess(permit, stream, { access });
    return principal;
  }

  /**
   * Returns the caller of `X-Service-Token` for a connection that outlives this request. Refuses a shell's token, whose
   * rights are decided at each call. Throws as `apiKey` rejects.
   */
  connectionCaller(request: IncomingMessage, stream: StreamName): Principal {
    const principal = this.caller(request);
    if (principal.shell !== undefined) {
      throw new RemoteError("scope_forbids", `A shell's token is for single calls: ${stream} needs an API key.`);
    }
    const permit = keyPermit(principal);
    if (permit !== undefined) checkAccess(permit, stream, { access: streamAccess[stream] });
    return principal;
  }

  /** Returns the caller of `X-Service-Token`, regardless of its rights. Throws `unauthenticated`, `too_many_failures` or `scope_forbids`. */
  caller(request: IncomingMessage): Principal {
    const secret = request.headers["x-service-token"];
    const principal = typeof secret === "string" ? this.#verify(request, secret, "api") : undefined;
    if (principal !== undefined) {
      this.#audited.caller(request, principal);
      this.#onCaller(request, accountOf(principal));
      return checkLocal(principal, request);
    }
    throw this.#refusal(request.socket.remoteAddress, secret !== undefined, NO_KEY);
  }

  /**
   * Returns the caller with an API key or a shell's token who is a program of this machine, and calls without a request.
   * Throws as `caller` does.
   */
  localCaller(secret: string): Caller {
    const principal = this.#keys.verify(secret, "api");
    if (principal === undefined) throw this.#refusal(LOOPBACK, true, NO_KEY);
    this.#audited.authenticated(principal, LOOPBACK);
    return callerOf(principal, { from: LOOPBACK, lifetime: this.#keys.lifetimeOf(principal) });
  }

  /** Returns the caller of a session's call that a relay of the fleet passes on; undefined for one that is to be refused. */
  passedCaller(digest: string, peer: FleetPeer, session: Session): Caller | undefined {
    const principal = this.#keys.verifyDigest(digest, "api");
    if (principal?.user !== session.owner || principal.shell !== undefined) return undefined;
    const from = fleetAddress(peer);
    this.#audited.authenticated(principal, from);
    return callerOf(principal, { from, peer, lifetime: this.#keys.lifetimeOf(principal) });
  }

  /** Returns whether a secret is an API key or a shell's token of this relay. */
  isKnown(secret: string): boolean {
    return this.#keys.verify(secret, "api") !== undefined;
  }

  /** Returns the name under which a request is counted, before anything of it is judged: its caller's, or its network's. */
  accountOf(request: IncomingMessage): string {
    const token = request.headers["x-service-token"];
    const principal = typeof token === "string" ? this.#verify(request, token, "api") : undefined;
    return principal === undefined ? this.networkOf(request) : accountOf(principal);
  }

  /** As `accountOf`, for a request whose key is not of this relay, so that it is not searched for. */
  networkOf(request: IncomingMessage): string {
    return `network ${addressOf(request)}`;
  }

  /** Returns who calls with an accepted credential. */
  callerOf(request: IncomingMessage, principal: Principal): Caller {
    const from = request.socket.remoteAddress ?? "";
    return callerOf(principal, { from, peer: fleetPeerOf(request), lifetime: this.#keys.lifetimeOf(principal) });
  }

  /** Returns how long the credential of an accepted caller is valid. */
  lifetimeOf(principal: Principal): Lifetime | undefined {
    return this.#keys.lifetimeOf(principal);
  }

  /** Checks an accepted caller again, after its body has arrived. Throws `unauthenticated`. */
  checkStillValid(principal: Principal): void {
    this.#keys.checkValid(principal);
  }

  /** Returns the caller of `Authorization: Bearer`, whose token must have the scope. */
  bearer(request: IncomingMessage, scope: string): Principal {
    const [scheme, secret] = request.headers.authorization?.split(" ", 2) ?? [];
    const given = scheme?.toLowerCase() === "bearer" && secret !== undefined;
    const principal = given ? this.#verify(request, secret, "bearer") : undefined;
    if (principal === undefined) {
      throw this.#refusal(request.socket.remoteAddress, given, {
        message: `Send a bearer token: \`service token --scope ${scope}\` makes one.`,
        challenge: 'Bearer realm="patchbay"',
      });
    }
    this.#audited.caller(request, principal);
    this.#onCaller(request, accountOf(principal));
    if (principal.scopes.includes(scope)) return principal;
    throw new RemoteError("scope_forbids", `The token does not have the scope ${scope}.`);
  }

  /** Counts an invalid secret from a request body. Throws `too_many_failures` beyond the limit. */
  countFailure(request: IncomingMessage): void {
    const refusal = this.#refusal(request.socket.remoteAddress, true, { message: "", challenge: "" });
    if (refusal.code === "too_many_failures") throw refusal;
  }

  /**
   * Uses a secret from a request's body. One that is refused counts as a wrong key does. Throws `too_many_failures` beyond the
   * limit.
   */
  guessable<T>(request: IncomingMessage, use: () => T): T {
    try {
      return use();
    } catch (error) {
      this.countFailure(request);
      throw error;
    }
  }

  /** A relay of the fleet passes on the digest of a credential, which its caller has proved to have. */
  #verify(request: IncomingMessage, secret: string, scheme: "api" | "bearer"): Principal | undefined {
    const isDigest = fleetPeerOf(request) !== undefined;
    return isDigest ? this.#keys.verifyDigest(secret, scheme) : this.#keys.verify(secret, scheme);
  }

  /** Counts an invalid credential. A valid one is never refused, whatever others at its address have tried. */
  #refusal(
    address: string | undefined = "",
    given: boolean,
    { message, challenge }: { message: string; challenge: string },
  ): AuthError {
    const wait = given ? this.#failures.take(remoteNetwork(address)) : 0;
    this.#audited.failedAuthentication(address, wait === 0 ? "unauthenticated" : "too_many_failures");
    if (wait > 0) {
      const seconds = String(Math.ceil(wait / 1000));
      return new AuthError("too_many_failures", `Too many failed authentications: try again in ${seconds} s.`, {
        "Retry-After": seconds,
      });
    }
    const start = given ? "The credential is not valid for this call. " : "";
    return new AuthError("unauthenticated", start + message, { "WWW-Authenticate": challenge });
  }
}

/** Refuses a shell's token from another machine, because the shell's programs are on this one. */
function checkLocal(principal: Principal, request: IncomingMessage): Principal {
  if (principal.shell === undefined) return principal;
  if (!isRemote(request) && fleetPeerOf(request) === undefined) return principal;
  throw new RemoteError("scope_forbids", "A shell's token is good on its own machine only: use an API key of yours.");
}

function addressOf(request: IncomingMessage): string {
  return remoteNetwork(request.socket.remoteAddress ?? "");
}
