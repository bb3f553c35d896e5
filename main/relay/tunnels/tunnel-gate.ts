import type { IncomingMessage } from "node:http";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import { findGuest } from "../access/guest-cookie.ts";
import type { Guest, InviteStore } from "../access/invites.ts";
import { checkSite, isFromOutside } from "../net/origin-guard.ts";
import type { Certificate } from "../tls/certificate.ts";
import type { Outside } from "../tls/remote-access.ts";
import type { Asked } from "./tunnel-listener.ts";
import { TunnelPasses } from "./tunnel-passes.ts";

interface Parts {
  readonly invites: InviteStore;
  /** The relay's door for other machines, if there is one. */
  readonly outside: () =>
    | { readonly outside: Outside; readonly host: string; readonly certificate: Certificate }
    | undefined;
}

interface Tunnel {
  readonly session: SessionId;
  readonly port: number;
}

/** Decides who may pass through a tunnel: browsers that are in the session, with a role that may change something. */
export class TunnelGate {
  readonly #parts: Parts;
  readonly #passes = new TunnelPasses();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * The cookie that opens a tunnel and whose it is, for a request with the cookie of the session. Throws
   * `unauthenticated`, or `role_forbids` for a reader: what a program takes in through its port changes things.
   */
  pass(request: IncomingMessage, tunnel: Tunnel): { readonly cookie: string; readonly name: string } {
    const found = findGuest(request, tunnel.session, this.#parts.invites);
    if (found === undefined) {
      throw new RemoteError("unauthenticated", "This browser has not been let in: open an invite link.");
    }
    const { guest, secret } = found;
    if (guest.role === "reader") {
      throw new RemoteError("role_forbids", "A reader may not use tunnels: ask the session's owner for another role.");
    }
    const holds = () => {
      const now = this.#guestOf(secret, tunnel.session);
      return now !== undefined && now.role !== "reader";
    };
    const cookie = this.#passes.issue({ ...tunnel, holds }, { secure: isFromOutside(request) });
    return { cookie, name: guest.name };
  }

  /** Where a tunnel's door for other machines is to be; undefined when they do not reach the relay. */
  get outsideAt() {
    const door = this.#parts.outside();
    return door === undefined ? undefined : { host: door.host, certificate: door.certificate };
  }

  /** Throws `foreign_origin` or `unauthenticated` for a request at a tunnel's door that may not pass. */
  check(asked: Asked, tunnel: Tunnel): void {
    checkSite(asked, { outside: () => this.#parts.outside()?.outside });
    checkFetchSite(asked);
    if (this.#passes.admits(asked, tunnel)) return;
    throw new RemoteError(
      "unauthenticated",
      "Open this tunnel from the session's page: a browser that is in the session may pass.",
    );
  }

  #guestOf(secret: string, session: SessionId): Guest | undefined {
    const guest = this.#parts.invites.findGuest(secret);
    return guest?.session === session ? guest : undefined;
  }
}

/**
 * Browsers send the cookie along from every page of this host, whatever its port. Such a page may show the tunnel, and
 * nothing else.
 */
function checkFetchSite({ headers, method }: Asked): void {
  const site = headers["sec-fetch-site"] ?? "none";
  if (site === "none" || site === "same-origin") return;
  if (headers["sec-fetch-mode"] === "navigate" && (method === "GET" || method === "HEAD")) return;
  throw new RemoteError("foreign_origin", "Requests from other origins are refused.");
}
