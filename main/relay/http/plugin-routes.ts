import express, { type Request, type Router } from "express";
import { z } from "zod";
import { parseParams } from "../../../core/protocol/parse-params.ts";
import { sendJson } from "../net/send.ts";
import { PluginId } from "../plugins/manifest.ts";
import type { Plugins } from "../plugins/plugins.ts";
import type { Sessions } from "../session/sessions.ts";
import { type Auth, checkOwner } from "./auth.ts";
import { jsonBody } from "./json-body.ts";
import { queryOf } from "./query.ts";

/** Body of `POST plugins` (docs/specification.md §2.2). */
export const PluginBody = z.object({ manifest_url: z.string(), plugin_id: PluginId });

interface Parts {
  readonly sessions: Sessions;
  readonly auth: Auth;
  readonly plugins: Plugins;
}

/** `POST plugins` with a bearer token (docs/specification.md §4); the list and the removal with the owner's API key. */
export function pluginRoutes({ sessions, auth, plugins }: Parts): Router {
  const router = express.Router({ mergeParams: true, caseSensitive: true });
  router.post("/", async (request: Request<{ session: string }>, response) => {
    const principal = auth.bearer(request, "plugins:install");
    const session = sessions.get(request.params.session);
    checkOwner(principal, session);
    queryOf(request);
    const body = parseParams(PluginBody, await jsonBody(request, response), "body");
    await plugins.install(session.id, { id: body.plugin_id, manifestUrl: body.manifest_url });
    sendJson(response, { ok: true });
  });
  router.get("/", async (request: Request<{ session: string }>, response) => {
    const principal = await auth.apiKey(request, "listPlugins");
    const session = sessions.get(request.params.session);
    checkOwner(principal, session);
    queryOf(request);
    sendJson(response, { result: plugins.list(session.id) });
  });
  router.delete("/:plugin", async (request: Request<{ session: string; plugin: string }>, response) => {
    const principal = await auth.apiKey(request, "removePlugin");
    const session = sessions.get(request.params.session);
    checkOwner(principal, session);
    queryOf(request);
    sendJson(response, { result: plugins.remove(session.id, request.params.plugin) });
  });
  return router;
}
