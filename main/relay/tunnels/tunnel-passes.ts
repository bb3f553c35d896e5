import type { IncomingMessage } from "node:http";
import { digestOf, newSecret } from "../access/digest.ts";
import { cookieValues, strictCookie } from "../net/cookies.ts";

const PREFIX = "patchbay_tunnel_";
/** Beyond, the oldest pass goes: its page asks for a new one when it is loaded again. */
const MOST = 1000;

/** What a pass opens, and for whom. */
export interface TunnelPass {
  readonly session: string;
  readonly port: number;
  /** Whether its holder may still use it; asked at every request. */
  holds(): boolean;
}

/**
 * Passes to tunnels: a browser that was let into the session gets one for each tunnel that it opens, as a cookie. Kept
 * in memory only: they end with the relay.
 */
export class TunnelPasses {
  readonly #passes = new Map<string, TunnelPass>();

  /** The value of `Set-Cookie`. `secure`: the door speaks TLS. */
  issue(pass: TunnelPass, { secure }: { secure: boolean }): string {
    const secret = newSecret("pbt");
    for (const oldest of this.#passes.keys()) {
      if (this.#passes.size < MOST) break;
      this.#passes.delete(oldest);
    }
    this.#passes.set(digestOf(secret), pass);
    return strictCookie(nameOf(pass), secret, { path: "/", secure });
  }

  /** Whether the request carries a good pass for the tunnel. */
  admits(request: Pick<IncomingMessage, "headers">, tunnel: Pick<TunnelPass, "session" | "port">): boolean {
    return cookieValues(request, nameOf(tunnel)).some((secret) => {
      const pass = this.#passes.get(digestOf(secret));
      return pass?.session === tunnel.session && pass.port === tunnel.port && pass.holds();
    });
  }
}

function nameOf({ session, port }: Pick<TunnelPass, "session" | "port">): string {
  return `${PREFIX}${session}_${port}`;
}
