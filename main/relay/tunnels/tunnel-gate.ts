import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { Guest, Guests } from "../access/guests.ts";
import { checkSameOrigin, checkSite } from "../net/origin-guard.ts";
import type { Certificate } from "../tls/certificate.ts";
import type { RemoteAccess } from "../tls/remote-access.ts";
import { TunnelPasses, type TunnelPlace, type TunnelRequest } from "./tunnel-passes.ts";

interface TunnelGateOptions {
  readonly guests: Guests;
  /** Returns the relay's listener for other machines; undefined if there is none. */
  readonly remoteListener: () =>
    | { readonly access: RemoteAccess; readonly host: string; readonly certificate: Certificate }
    | undefined;
}

/** Admits requests to tunnels: from browsers that are guests of the session, with a role that may change something. */
export class TunnelGate {
  readonly #options: TunnelGateOptions;
  readonly #passes = new TunnelPasses();
  /** Guests with passes, whose admission is watched: what is open in a tunnel is checked again at its end. */
  readonly #watched = new Set<string>();

  constructor(options: TunnelGateOptions) {
    this.#options = options;
  }

  /**
   * Issues a pass to a tunnel for one of the session's guests. Returns the pass and the guest's name. Throws
   * `unauthenticated`, or `role_forbids` for a reader, because requests to a program can change things.
   */
  issuePass(
    guest: Guest | undefined,
    tunnel: { readonly session: SessionId; readonly port: number },
  ): { readonly pass: string; readonly name: string } {
    const { guests } = this.#options;
    if (guest === undefined) {
      throw new RemoteError("unauthenticated", "This browser has not been let in: open an invite link.");
    }
    if (guest.role === "reader") {
      throw new RemoteError("role_forbids", "A reader may not use tunnels: ask the session's owner for another role.");
    }
    this.#watch(guest);
    const isValid = () => {
      const now = guests.get(tunnel.session, guest.id);
      return now !== undefined && now.role !== "reader";
    };
    return { pass: this.#passes.issue({ ...tunnel, holder: guest.id, isValid }), name: guest.name };
  }

  #watch(guest: Guest): void {
    if (this.#watched.has(guest.id)) return;
    this.#watched.add(guest.id);
    this.#options.guests.lifetimeOf(guest).onEnd(() => this.#watched.delete(guest.id));
  }

  /** Returns the `Set-Cookie` header for a pass to the tunnel; undefined if the pass is not valid. */
  cookie(pass: string, tunnel: TunnelPlace): string | undefined {
    return this.#passes.cookie(pass, tunnel);
  }

  /** The address at which a tunnel listens for other machines; undefined if they do not reach the relay. */
  get remoteAddress() {
    const listener = this.#options.remoteListener();
    return listener === undefined ? undefined : { address: listener.host, certificate: listener.certificate };
  }

  /** Throws `foreign_origin` for a request that a page of another origin sends, or by another name than the tunnel's. */
  checkSite(request: TunnelRequest, { host }: TunnelPlace): void {
    if (host === undefined) checkSite(request, { remoteAccess: () => this.#options.remoteListener()?.access });
    else {
      checkOwnHost(request, host);
      checkSameOrigin(request);
    }
    checkFetchSite(request);
  }

  /**
   * Returns the id of the guest whose request may use the tunnel. Throws `foreign_origin` or `unauthenticated` for any
   * other request.
   */
  check(request: TunnelRequest, tunnel: TunnelPlace): string {
    this.checkSite(request, tunnel);
    const guest = this.#passes.holderOf(request, tunnel);
    if (guest !== undefined) return guest;
    throw new RemoteError(
      "unauthenticated",
      "Open this tunnel from the session's page: a browser that is in the session may pass.",
    );
  }
}

/** Admits exactly the tunnel's own name: by another one its page would share cookies with that name's other servers. */
function checkOwnHost({ headers, socket }: TunnelRequest, host: string): void {
  if (headers.host === `${host}:${socket.localPort}`) return;
  throw new RemoteError("foreign_origin", "This tunnel answers only to the name in its address.");
}

/** Refuses requests by other pages except navigation, with which browsers may send the pass. */
function checkFetchSite({ headers, method }: TunnelRequest): void {
  const site = headers["sec-fetch-site"] ?? "none";
  if (site === "none" || site === "same-origin") return;
  if (headers["sec-fetch-mode"] === "navigate" && (method === "GET" || method === "HEAD")) return;
  throw new RemoteError("foreign_origin", "Requests from other origins are refused.");
}
