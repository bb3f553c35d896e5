import express, { type Request, type Router } from "express";
import { z } from "zod";
import { deviceLabel } from "../../../core/protocol/device-label.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";
import type { OwnerLinks } from "../access/owner-links.ts";
import { userCaller } from "../access/permits/caller.ts";
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
  readonly auth: Pick<Auth, "countFailure">;
}

/**
 * `POST /s/<session>/owner`: exchanges the secret of an owner's link for an API key of this browser, which is listed and
 * revoked as every key. From this machine only (docs/decisions/0046).
 */
export function ownerRoutes({ sessions, links, calls, user, auth }: OwnerRoutesOptions): Router {
  const router = express.Router({ caseSensitive: true });
  router.post("/:session/owner", async (request: Request<{ session: string }>, response) => {
    const session = sessions.get(request.params.session);
    const { link } = parseParams(OwnerBody, await jsonBody(request, response), "body");
    if (isRemote(request))
      throw new RemoteError("invite_spent", "The link of the owner is for this machine: open it in a browser there.");
    try {
      links.use(session.id, link);
    } catch (error) {
      // A guess counts as a wrong key does.
      auth.countFailure(request);
      throw error;
    }
    const name = `browser: ${deviceLabel(request.headers["user-agent"] ?? "")}`;
    const { secret } = await calls.run(userCaller(user, "owner's link"), "createKey", { name, ttl: KEY_SECONDS });
    sendJson(response, { result: { apiKey: secret } });
  });
  return router;
}
