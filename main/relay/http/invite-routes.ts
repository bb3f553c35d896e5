import express, { type Request, type Router } from "express";
import { z } from "zod";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";
import { Role } from "../../../core/protocol/records.ts";
import { Invite, type InviteStore } from "../access/invites.ts";
import type { RouteAction } from "../access/permits/route-actions.ts";
import { sendJson } from "../net/send.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Outside } from "../tls/remote-access.ts";
import { type Auth, checkOwner } from "./auth.ts";
import { jsonBody } from "./json-body.ts";
import { queryOf } from "./query.ts";

const MONTH_SECONDS = 30 * 24 * 3600;

export const InviteBody = z.object({
  role: Role.default("writer"),
  ttl: z.number().min(1).max(MONTH_SECONDS).default(3600).describe("seconds until the link expires"),
  uses: z.int().min(1).max(100).default(1).describe("how many browsers it lets in"),
  outside: z.boolean().default(false).describe("make the link for other machines (`patchbay serve --listen ADDRESS`)"),
});

/** A new invite with its link, which is told once. */
export const InviteLink = Invite.extend({
  url: z.url(),
  urls: z.array(z.url()).describe("the same link at every address of the relay, this machine's first"),
});

interface Parts {
  readonly sessions: Sessions;
  readonly auth: Auth;
  readonly guests: InviteStore;
  /** Base address of the relay. */
  readonly url: () => string;
  /** How other machines reach the relay; undefined when they do not. */
  readonly outside: () => Outside | undefined;
}

/** `…/invites`: links that let a browser into the session, for its owner to make, list and take back. */
export function inviteRoutes({ sessions, auth, guests, url, outside }: Parts): Router {
  const router = express.Router({ mergeParams: true, caseSensitive: true });
  const own = async (request: Request<{ session: string }>, action: RouteAction): Promise<Session> => {
    const principal = await auth.apiKey(request, action);
    const session = sessions.get(request.params.session);
    checkOwner(principal, session);
    queryOf(request);
    return session;
  };
  router.get("/", async (request: Request<{ session: string }>, response) => {
    const { id } = await own(request, "listInvites");
    sendJson(response, { result: guests.invites(id) });
  });
  router.post("/", async (request: Request<{ session: string }>, response) => {
    const session = await own(request, "createInvite");
    const { role, ttl, uses, outside: far } = parseParams(InviteBody, await jsonBody(request, response), "body");
    const everywhere = outside()?.urls ?? [];
    const [base] = far ? everywhere : [url()];
    if (base === undefined) {
      throw new RemoteError(
        "invalid_request",
        "This relay serves this machine only: start it with --listen ADDRESS to let other machines in.",
      );
    }
    const { invite, secret } = guests.invite({ session: session.id, role, uses, ttlMs: ttl * 1000 });
    // After the # it stays in the browser: no server log, no referrer.
    const linkAt = (address: string) => `${address}/s/${session.id}#${secret}`;
    const urls = [url(), ...everywhere].map(linkAt);
    sendJson(response, { result: { ...invite, url: linkAt(base), urls } }, {}, 201);
  });
  router.delete("/:invite", async (request: Request<{ session: string; invite: string }>, response) => {
    const { id } = await own(request, "revokeInvite");
    if (!guests.revoke(id, request.params.invite)) {
      throw new RemoteError("unknown_invite", "No open invite has this id.");
    }
    sendJson(response, { result: { id: request.params.invite } });
  });
  return router;
}
