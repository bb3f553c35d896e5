import { join } from "node:path";
import express, { type Request, type Router } from "express";
import { z } from "zod";
import { deviceLabel } from "../../../core/protocol/device-label.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { INVITE_HEADER } from "../../../core/protocol/page-credentials.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";
import { carriesGuestSecret, findGuest, guestCookie } from "../access/guest-cookie.ts";
import type { Guests } from "../access/guests.ts";
import type { InviteStore } from "../access/invites.ts";
import { isRemote } from "../net/origin-guard.ts";
import { sendJson } from "../net/send.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Auth } from "./auth.ts";
import { jsonBody } from "./body.ts";
import { builtPage } from "./built-page.ts";
import type { ForeignSessions } from "./foreign-sessions.ts";
import { installedPage, withManifest } from "./installed-page.ts";
import { pageAssets } from "./page-assets.ts";

const EnterBody = z.object({
  invite: z.string().min(1).max(200),
  /** Absent or empty: the relay chooses one. */
  name: z.string().max(200).optional(),
});

interface WebRoutesOptions {
  readonly sessions: Sessions;
  readonly invites: InviteStore;
  readonly guests: Guests;
  readonly auth: Auth;
  /** Returns the sessions of other relays; undefined while the relay is in no fleet. */
  readonly foreign: () => ForeignSessions | undefined;
  /** Folder of the built pages. */
  readonly pagesFolder: string;
}

/**
 * `/s/<session>`: the session in a browser. The page contains no data; its rights come from the page key, and the cookie,
 * that `POST /s/<session>/enter` issues for an invite. `GET /s/<session>/invite` says what an invite is to.
 */
export function webRoutes({ sessions, invites, guests, auth, foreign, pagesFolder }: WebRoutesOptions): Router {
  const router = express.Router({ caseSensitive: true });
  const sessionOf = (id: string) => {
    const relay = foreign()?.relayOf(id);
    if (relay === undefined) return sessions.get(id);
    throw new RemoteError(
      "unknown_session",
      `The relay ${relay} serves this session: open the invite link at that relay, or this page with an API key of it.`,
    );
  };
  router.use(installedPage(pagesFolder));
  router.get("/:session", async (request: Request<{ session: string }>, response) => {
    const built = await builtPage(join(pagesFolder, "web", "index.html"), { assets: "./assets/", framesWeb: true });
    response.set(built.headers).type("html").send(withManifest(built.html, request.params.session));
  });
  router.use("/assets", pageAssets(join(pagesFolder, "assets")));
  router.get("/:session/guest", (request: Request<{ session: string }>, response) => {
    const guest = findGuest(request, request.params.session, guests);
    if (guest === undefined && carriesGuestSecret(request, request.params.session)) auth.countFailure(request);
    sendJson(response, { result: guest === undefined ? null : { name: guest.name, role: guest.role } });
  });
  router.get("/:session/invite", (request: Request<{ session: string }>, response) => {
    const session = sessionOf(request.params.session);
    const secret = String(request.headers[INVITE_HEADER] ?? "");
    const { role } = auth.guessable(request, () => invites.check(session.id, secret));
    sendJson(response, { result: { session: session.state.now.session.name, owner: session.owner, role } });
  });
  router.post("/:session/enter", async (request: Request<{ session: string }>, response) => {
    const session = sessionOf(request.params.session);
    const { invite, name } = parseParams(EnterBody, await jsonBody(request, response), "body");
    // Who has no invite does not learn who is here. It is not used yet: another name may be tried.
    auth.guessable(request, () => invites.check(session.id, invite));
    const known = findGuest(request, session.id, guests);
    const present = session.clients.namesBeside(known?.id);
    const shown = guests.checkName(name, { session: session.id, owner: session.owner, present });
    const device = deviceLabel(request.headers["user-agent"] ?? "");
    const accept = () => invites.accept(session.id, invite, shown, device);
    const { guest, secret, pageKey, maxAgeMs } = auth.guessable(request, accept);
    response.setHeader(
      "Set-Cookie",
      guestCookie({
        session: session.id,
        secret,
        maxAgeMs,
        basePath: request.baseUrl.replace(/\/s$/, ""),
        secure: isRemote(request),
      }),
    );
    sendJson(response, { result: { name: guest.name, role: guest.role, pageKey } });
  });
  return router;
}
