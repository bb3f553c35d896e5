import express, { type Request, type Router } from "express";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { carriesGuestSecret, findGuest } from "../access/guest-cookie.ts";
import type { Guests } from "../access/guests.ts";
import { isRemote } from "../net/origin-guard.ts";
import { sendJson } from "../net/send.ts";
import type { Sessions } from "../session/sessions.ts";
import type { TunnelGate } from "../tunnels/tunnel-gate.ts";
import type { AuditedCalls } from "./audit-calls.ts";
import type { Auth } from "./auth.ts";

interface TunnelRoutesOptions {
  readonly sessions: Sessions;
  readonly guests: Guests;
  readonly tunnelGate: TunnelGate;
  readonly auth: Auth;
  readonly audited: AuditedCalls;
}

/**
 * `POST /s/<session>/tunnels/<port>`: admits a guest's browser to a tunnel, and responds with the tunnel's URL. A tunnel on
 * this machine has a host of its own, for which the page gets a pass (core/protocol/page-credentials.ts). For other machines it
 * is a port of the relay's host, and the pass is set as a cookie here: cookies are not separated by port.
 */
export function tunnelRoutes({ sessions, guests, tunnelGate, auth, audited }: TunnelRoutesOptions): Router {
  const router = express.Router({ mergeParams: true, caseSensitive: true });
  router.post("/:port", async (request: Request<{ session: string; port: string }>, response) => {
    const session = sessions.get(request.params.session);
    const port = Number(request.params.port);
    const place = { session: session.id, port };
    const guest = findGuest(request, session.id, guests);
    if (guest === undefined && carriesGuestSecret(request, session.id)) auth.countFailure(request);
    const { pass, name } = tunnelGate.issuePass(guest, place);
    audited.guest(request, { name, session: session.id });
    const listener = await session.tunnels?.listenerFor(port, { remote: isRemote(request) });
    if (listener === undefined) {
      const open = session.state.now.tunnels.map((tunnel) => tunnel.port).join(", ");
      throw new RemoteError("unknown_tunnel", `Nothing listens on port ${port}. The tunnels are: ${open || "none"}.`);
    }
    if (listener.host !== undefined) {
      sendJson(response, { result: { url: `http://${listener.host}:${listener.port}/`, pass } });
      return;
    }
    const url = new URL(`https://${request.headers.host}/`);
    url.port = String(listener.port);
    const cookie = tunnelGate.cookie(pass, place);
    if (cookie !== undefined) response.setHeader("Set-Cookie", cookie);
    sendJson(response, { result: { url: url.href } });
  });
  return router;
}
