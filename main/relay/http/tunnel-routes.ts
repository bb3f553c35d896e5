import express, { type Request, type Router } from "express";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { isRemote } from "../net/origin-guard.ts";
import { sendJson } from "../net/send.ts";
import type { Sessions } from "../session/sessions.ts";
import type { TunnelGate } from "../tunnels/tunnel-gate.ts";
import type { AuditedCalls } from "./audit-calls.ts";

interface TunnelRoutesOptions {
  readonly sessions: Sessions;
  readonly tunnelGate: TunnelGate;
  readonly audited: AuditedCalls;
}

/**
 * `POST /s/<session>/tunnels/<port>`: admits a guest's browser to a tunnel by a cookie, and responds with the tunnel's URL.
 * Cookies are not separated by port, so the browser sends a cookie that is set here to the tunnel's port too.
 */
export function tunnelRoutes({ sessions, tunnelGate, audited }: TunnelRoutesOptions): Router {
  const router = express.Router({ mergeParams: true, caseSensitive: true });
  router.post("/:port", async (request: Request<{ session: string; port: string }>, response) => {
    const session = sessions.get(request.params.session);
    const port = Number(request.params.port);
    const { cookie, name } = tunnelGate.issuePass(request, { session: session.id, port });
    audited.guest(request, { name, session: session.id });
    const listener = await session.tunnels?.listenerFor(port, { remote: isRemote(request) });
    if (listener === undefined) {
      const open = session.state.now.tunnels.map((tunnel) => tunnel.port).join(", ");
      throw new RemoteError("unknown_tunnel", `Nothing listens on port ${port}. The tunnels are: ${open || "none"}.`);
    }
    const url = new URL(`${isRemote(request) ? "https" : "http"}://${request.headers.host}/`);
    url.port = String(listener.port);
    response.setHeader("Set-Cookie", cookie);
    sendJson(response, { result: { url: url.href } });
  });
  return router;
}
