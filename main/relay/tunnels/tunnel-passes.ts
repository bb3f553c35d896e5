import type { IncomingMessage } from "node:http";
import type { SessionId } from "../../../core/protocol/ids.ts";
import { digestOf, newSecret } from "../access/digest.ts";
import { cookieValues, strictCookie } from "../net/cookies.ts";

/** Cookie of a tunnel with a host of its own. */
const OWN_HOST_COOKIE = "__Host-patchbay_pass";
const SHARED_HOST_PREFIX = "__Host-patchbay_tunnel_";
/** Beyond this number, the guest with the most passes loses the oldest of them; its page gets a new one when it reloads. */
const MOST = 1000;

/** A tunnel of a session, by its program's port, at one of its listeners. */
export interface TunnelPlace {
  readonly session: SessionId;
  readonly port: number;
  /** Host name of its own, on this machine; undefined at the relay's host for other machines. */
  readonly host?: string | undefined;
}

/** The part of a request that is checked, with its original headers. */
export type TunnelRequest = Pick<IncomingMessage, "headers" | "method" | "rawHeaders" | "socket" | "url">;

/** Permission of one guest to use one tunnel. */
interface TunnelPass {
  readonly session: SessionId;
  readonly port: number;
  /** Id of the guest. */
  readonly holder: string;
  /** Returns whether its holder may still use it; called at every request. */
  isValid(): boolean;
}

/**
 * Issues and checks passes to tunnels: a guest's browser gets one for each tunnel that it opens, and keeps it as a cookie
 * of the tunnel's host. Passes are in memory only, so they end with the relay.
 */
export class TunnelPasses {
  readonly #passes = new Map<string, TunnelPass>();

  /** Issues a pass and returns its secret. */
  issue(pass: TunnelPass): string {
    const secret = newSecret("pbt");
    if (this.#passes.size >= MOST) this.#dropOne();
    this.#passes.set(digestOf(secret), pass);
    return secret;
  }

  /**
   * Returns a `Set-Cookie` header for a pass to the tunnel; undefined if the pass is not valid. A tunnel with a host of its
   * own is of another site than the session's page that frames it: the cookie is for that page's frames only.
   */
  cookie(secret: string, tunnel: TunnelPlace): string | undefined {
    if (!this.#isValid(secret, tunnel)) return undefined;
    const name = nameOf(tunnel);
    return tunnel.host === undefined
      ? strictCookie(name, secret, { path: "/", secure: true })
      : `${name}=${secret}; HttpOnly; SameSite=None; Path=/; Secure; Partitioned`;
  }

  /** Returns the guest whose valid pass for the tunnel the request carries; undefined if it carries none. */
  holderOf(request: Pick<IncomingMessage, "headers">, tunnel: TunnelPlace): string | undefined {
    const valid = cookieValues(request, nameOf(tunnel)).find((secret) => this.#isValid(secret, tunnel));
    return valid === undefined ? undefined : this.#passes.get(digestOf(valid))?.holder;
  }

  #dropOne(): void {
    const held = new Map<string, { readonly oldest: string; count: number }>();
    for (const [digest, { holder }] of this.#passes) {
      const known = held.get(holder);
      if (known === undefined) held.set(holder, { oldest: digest, count: 1 });
      else known.count += 1;
    }
    const [most] = [...held.values()].toSorted((one, other) => other.count - one.count);
    if (most !== undefined) this.#passes.delete(most.oldest);
  }

  #isValid(secret: string, { session, port }: TunnelPlace): boolean {
    const pass = this.#passes.get(digestOf(secret));
    return pass?.session === session && pass.port === port && pass.isValid();
  }
}

function nameOf({ session, port, host }: TunnelPlace): string {
  return host === undefined ? `${SHARED_HOST_PREFIX}${session}_${port}` : OWN_HOST_COOKIE;
}
