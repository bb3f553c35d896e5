import type { IncomingMessage } from "node:http";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import { findGuest } from "../access/guest-cookie.ts";
import type { Guest, InviteStore } from "../access/invites.ts";
import { checkSite, isRemote } from "../net/origin-guard.ts";
import type { Certificate } from "../tls/certificate.ts";
import type { RemoteAccess } from "../tls/remote-access.ts";
import type { TunnelRequest } from "./tunnel-listener.ts";
import { TunnelPasses } from "./tunnel-passes.ts";

interface TunnelGateOptions {
  readonly invites: InviteStore;
  /** Returns the relay's listener for other machines; undefined if there is none. */
  readonly remoteListener: () =>
    | { readonly access: RemoteAccess; readonly host: string; readonly certificate: Certificate }
    | undefined;
}

interface Tunnel {
  readonly session: SessionId;
  readonly port: number;
}

/** Admits requests to tunnels: from browsers that are guests of the session, with a role that may change something. */
export class TunnelGate {
  readonly #options: TunnelGateOptions;
  readonly #passes = new TunnelPasses();

  constructor(options: TunnelGateOptions) {
    this.#options = options;
  }

  /**
   * Issues a pass to a tunnel for a request with the session's guest cookie. Returns the pass as a `Set-Cookie` header,
   * and the guest's name. Throws `unauthenticated`, or `role_forbids` for a reader, because requests to a program can
   * change things.
   */
  issuePass(request: IncomingMessage, tunnel: Tunnel): { readonly cookie: string; readonly name: string } {
    const found = findGuest(request, tunnel.session, this.#options.invites);
    if (found === undefined) {
      throw new RemoteError("unauthenticated", "This browser has not been let in: open an invite link.");
    }
    const { guest, secret } = found;
    if (guest.role === "reader") {
      throw new RemoteError("role_forbids", "A reader may not use tunnels: ask the session's owner for another role.");
    }
    const isValid = () => {
      const now = this.#guestOf(secret, tunnel.session);
      return now !== undefined && now.role !== "reader";
    };
    const cookie = this.#passes.issue({ ...tunnel, isValid }, { secure: isRemote(request) });
    return { cookie, name: guest.name };
  }

  /** The address at which a tunnel listens for other machines; undefined if they do not reach the relay. */
  get remoteAddress() {
    const listener = this.#options.remoteListener();
    return listener === undefined ? undefined : { host: listener.host, certificate: listener.certificate };
  }

  /** Throws `foreign_origin` or `unauthenticated` for a request that may not use the tunnel. */
  check(request: TunnelRequest, tunnel: Tunnel): void {
    checkSite(request, { remoteAccess: () => this.#options.remoteListener()?.access });
    checkFetchSite(request);
    if (this.#passes.admits(request, tunnel)) return;
    throw new RemoteError(
      "unauthenticated",
      "Open this tunnel from the session's page: a browser that is in the session may pass.",
    );
  }

  #guestOf(secret: string, session: SessionId): Guest | undefined {
    const guest = this.#options.invites.findGuest(secret);
    return guest?.session === session ? guest : undefined;
  }
}

/**
 * Refuses requests by other pages except navigation: browsers send the pass from every page of this host, whatever its
 * port.
 */
function checkFetchSite({ headers, method }: TunnelRequest): void {
  const site = headers["sec-fetch-site"] ?? "none";
  if (site === "none" || site === "same-origin") return;
  if (headers["sec-fetch-mode"] === "navigate" && (method === "GET" || method === "HEAD")) return;
  throw new RemoteError("foreign_origin", "Requests from other origins are refused.");
}
