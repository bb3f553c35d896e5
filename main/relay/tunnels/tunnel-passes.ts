import type { IncomingMessage } from "node:http";
import { digestOf, newSecret } from "../access/digest.ts";
import { cookieValues, strictCookie } from "../net/cookies.ts";

const PREFIX = "patchbay_tunnel_";
/** The oldest pass is dropped beyond this number; its page gets a new one when it reloads. */
const MOST = 1000;

/** Permission of one guest to use one tunnel. */
export interface TunnelPass {
  readonly session: string;
  readonly port: number;
  /** Returns whether its holder may still use it; called at every request. */
  isValid(): boolean;
}

/**
 * Issues and checks passes to tunnels: a guest's browser gets one for each tunnel that it opens, as a cookie. Passes are
 * in memory only, so they end with the relay.
 */
export class TunnelPasses {
  readonly #passes = new Map<string, TunnelPass>();

  /** Issues a pass and returns its `Set-Cookie` header. `secure`: the listener uses TLS. */
  issue(pass: TunnelPass, { secure }: { secure: boolean }): string {
    const secret = newSecret("pbt");
    for (const oldest of this.#passes.keys()) {
      if (this.#passes.size < MOST) break;
      this.#passes.delete(oldest);
    }
    this.#passes.set(digestOf(secret), pass);
    return strictCookie(nameOf(pass), secret, { path: "/", secure });
  }

  /** Returns whether the request carries a valid pass for the tunnel. */
  admits(request: Pick<IncomingMessage, "headers">, tunnel: Pick<TunnelPass, "session" | "port">): boolean {
    return cookieValues(request, nameOf(tunnel)).some((secret) => {
      const pass = this.#passes.get(digestOf(secret));
      return pass?.session === tunnel.session && pass.port === tunnel.port && pass.isValid();
    });
  }
}

function nameOf({ session, port }: Pick<TunnelPass, "session" | "port">): string {
  return `${PREFIX}${session}_${port}`;
}
