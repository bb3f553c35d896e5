import express, { type Request, type Router } from "express";
import { z } from "zod";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";
import { Role } from "../../../core/protocol/records.ts";
import type { GuestBook } from "../invites/guest-book.ts";
import type { Session } from "../session.ts";
import type { Sessions } from "../sessions.ts";
import { type Auth, checkOwner } from "./auth.ts";
import { jsonBody } from "./json-body.ts";
import { sendJson } from "./send.ts";

const MONTH_SECONDS = 30 * 24 * 3600;

export const InviteBody = z.object({
  role: Role.default("writer"),
  ttl: z.number().min(1).max(MONTH_SECONDS).default(3600).describe("seconds until the link expires"),
  uses: z.int().min(1).max(100).default(1).describe("how many browsers it lets in"),
});

interface Parts {
  readonly sessions: Sessions;
  readonly auth: Auth;
  readonly guests: GuestBook;
  /** Base address of the relay. */
  readonly url: () => string;
}

/** `…/invites`: links that let a browser into the session, for its owner to make, list and take back. */
export function inviteRoutes({ sessions, auth, guests, url }: Parts): Router {
  const router = express.Router({ mergeParams: true, caseSensitive: true });
  const own = (request: Request<{ session: string }>): Session => {
    const principal = auth.apiKey(request);
    const session = sessions.get(request.params.session);
    checkOwner(principal, session);
    if (principal.shell === undefined) return session;
    throw new RemoteError("scope_forbids", "A shell's token may not let others in: use an API key of yours.");
  };
  router.get("/", (request: Request<{ session: string }>, response) => {
    sendJson(response, { result: guests.invites(own(request).id) });
  });
  router.post("/", async (request: Request<{ session: string }>, response) => {
    const session = own(request);
    const { role, ttl, uses } = parseParams(InviteBody, await jsonBody(request, response), "body");
    const { invite, secret } = guests.invite({ session: session.id, role, uses, ttlMs: ttl * 1000 });
    // After the # it stays in the browser: no server log, no referrer.
    sendJson(response, { result: { ...invite, url: `${url()}/s/${session.id}#${secret}` } }, {}, 201);
  });
  router.delete("/:invite", (request: Request<{ session: string; invite: string }>, response) => {
    const { id } = own(request);
    if (!guests.revoke(id, request.params.invite)) {
      throw new RemoteError("unknown_invite", "No open invite has this id.");
    }
    sendJson(response, { result: { id: request.params.invite } });
  });
  return router;
}
