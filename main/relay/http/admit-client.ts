import type { IncomingMessage } from "node:http";
import type { Request, Response } from "express";
import { z } from "zod";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { KEY_PROTOCOL } from "../../../core/protocol/page-credentials.ts";
import { Role } from "../../../core/protocol/records.ts";
import { carriesGuestSecret, findGuest } from "../access/guest-cookie.ts";
import type { Guests } from "../access/guests.ts";
import { accountOf, checkOwner } from "../access/permits/permit.ts";
import { fleetPeerOf } from "../net/fleet-peer.ts";
import { checkOrigin } from "../net/origin-guard.ts";
import { sendJson } from "../net/send.ts";
import type { Identity } from "../session/identity.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import type { RemoteAccess } from "../tls/remote-access.ts";
import type { AuditedCalls } from "./audit-calls.ts";
import { type Auth, AuthError } from "./auth.ts";
import type { RouteTable } from "./route-table.ts";

interface AdmitOptions {
  readonly sessions: Sessions;
  readonly auth: Auth;
  readonly audited: AuditedCalls;
  readonly guests: Guests;
  readonly basePath: string;
  readonly remoteAccess: () => RemoteAccess | undefined;
}

/** Admits the WebSocket of a client to a session. Throws a RemoteError to refuse it. */
export type AdmitClient = (request: IncomingMessage) => readonly [Session, Identity];

/** What the socket of a session admits a caller as. */
export const Admission = z.object({
  session: z.string().describe("name of the session"),
  owner: z.string(),
  name: z.string().describe("name by which others would see the client"),
  role: Role,
});

/**
 * `GET /v1/sessions/{id}/socket` without the opening of a WebSocket: says what a client would be admitted as, or why not.
 * Browsers do not tell a page why its WebSocket was refused.
 */
export function admissionRoute(admit: AdmitClient): (routes: RouteTable) => void {
  const describe = (request: Request, response: Response) => {
    const [session, { name, role }] = admit(request);
    sendJson(response, { result: { session: session.state.now.session.name, owner: session.owner, name, role } });
  };
  return (routes) => routes.get("/v1/sessions/:session/socket", describe);
}

/**
 * Takes the API key of a page from the subprotocols of its WebSocket, which cannot carry headers of its own, and puts it
 * where every other caller sends one. The key goes no further than this relay.
 */
export function takePageKey(request: IncomingMessage): void {
  const { headers } = request;
  const [protocol, key] = (headers["sec-websocket-protocol"] ?? "").split(",", 2).map((name) => name.trim());
  if (protocol !== KEY_PROTOCOL || fleetPeerOf(request) !== undefined) return;
  headers["sec-websocket-protocol"] = KEY_PROTOCOL;
  if (key !== undefined) headers["x-service-token"] ??= key;
}

/**
 * Admits clients: at `/v1/sessions/{id}/socket` with an API key of the session's owner, at `/s/{id}/socket` with the
 * page key or cookie of a guest.
 */
export function clientAdmission(options: AdmitOptions): AdmitClient {
  const { sessions, auth, audited, guests, basePath } = options;
  return (request) => {
    checkOrigin(request, options);
    const path = new URL(request.url ?? "/", "http://relay").pathname;
    const below = basePath !== "" && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
    const [, place, id] = /^\/(v1\/sessions|s)\/([^/]+)\/socket$/.exec(below) ?? [];
    if (id === undefined) throw new RemoteError("unknown_route", "No such path for a WebSocket.");
    if (place === "s") {
      const guest = findGuest(request, id, guests);
      // Browsers always send the origin of a WebSocket; without one the cookie is not accepted.
      if (guest === undefined || request.headers.origin === undefined) {
        if (guest === undefined && carriesGuestSecret(request, id)) auth.countFailure(request);
        throw new AuthError("unauthenticated", "This browser has not been let in: open an invite link.", {});
      }
      audited.guest(request, { name: guest.name, session: id });
      const from = request.socket.remoteAddress ?? "";
      return [
        sessions.get(id),
        {
          name: guest.name,
          role: guest.role,
          guest: guest.id,
          from,
          lifetime: guests.lifetimeOf(guest),
          account: `guest ${guest.id}`,
        },
      ];
    }
    const principal = auth.connectionCaller(request, "connectClient");
    const session = sessions.get(id);
    checkOwner(principal, session);
    const from = request.socket.remoteAddress ?? "";
    return [
      session,
      {
        name: principal.user,
        role: "admin",
        from,
        principal,
        lifetime: auth.lifetimeOf(principal),
        account: accountOf(principal),
      },
    ];
  };
}
