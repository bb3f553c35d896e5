import express, { type Request, type Router } from "express";
import { z } from "zod";
import { deviceLabel } from "../../../core/protocol/device-label.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";
import type { OwnerLinks } from "../access/owner-links.ts";
import { callerOf } from "../access/permits/caller.ts";
import type { Calls } from "../calls/calls.ts";
import { isRemote } from "../net/origin-guard.ts";
import { sendJson } from "../net/send.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Auth } from "./auth.ts";
import { jsonBody } from "./body.ts";

/** How long the key of the owner's browser is valid: as long as a guest's admission. */
const KEY_SECONDS = 30 * 24 * 3600;

const OwnerBody = z.object({ link: z.string().min(1).max(200) });

interface OwnerRoutesOptions {
  readonly sessions: Pick<Sessions, "get">;
  readonly links: OwnerLinks;
  readonly calls: Calls;
  /** Name of the relay's owner. */
  readonly user: string;
  readonly auth: Pick<Auth, "guessable">;
}

/**
 * `POST /s/<session>/owner`: exchanges the secret of an owner's link for an API key of this browser, which is listed and
 * revoked as every key. From another machine only by a link that was made for those (docs/decisions/0046, 0055).
 */
export function ownerRoutes({ sessions, links, calls, user, auth }: OwnerRoutesOptions): Router {
  const router = express.Router({ caseSensitive: true });
  router.post("/:session/owner", async (request: Request<{ session: string }>, response) => {
    const session = sessions.get(request.params.session);
    const { link } = parseParams(OwnerBody, await jsonBody(request, response), "body");
    const { madeBy } = auth.guessable(request, () => links.use(session.id, link, isRemote(request)));
    const name = `browser: ${deviceLabel(request.headers["user-agent"] ?? "")}`;
    // Within the limits of the key that the link was made with.
    const principal = { user, scheme: "api", scopes: [], ...(madeBy === undefined ? {} : { key: madeBy }) } as const;
    const from = `owner's link from ${request.socket.remoteAddress ?? "an unknown address"}`;
    const caller = callerOf(principal, { from });
    const { secret } = await calls.run(caller, "createKey", { name, ttl: KEY_SECONDS });
    sendJson(response, { result: { apiKey: secret } });
  });
  return router;
}
