import express, { type Request, type Router } from "express";
import { z } from "zod";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";
import type { Principal } from "../access/keys.ts";
import { sendJson } from "../net/send.ts";
import type { Sessions } from "../session/sessions.ts";
import { type Auth, checkOwner } from "./auth.ts";
import { jsonBody } from "./json-body.ts";
import { queryOf } from "./query.ts";

/** Body of creating and of renaming a session. */
export const SessionBody = z.object({ name: z.string().trim().min(1).max(200) });

/** The query of `DELETE /v1/sessions/{id}`. */
export const CloseQuery = z.object({
  force: z.enum(["true", "false"]).default("true").describe("`false` refuses while shells run in the session."),
});

/** Routes that list, create, rename and close sessions (docs/decisions/0006). */
export function sessionRoutes({ sessions, auth }: { sessions: Sessions; auth: Auth }): Router {
  const router = express.Router({ caseSensitive: true });
  router.get("/", async (request, response) => {
    const principal = await auth.apiKey(request, "listSessions");
    queryOf(request);
    const own = sessions.all().filter((session) => mayAct(principal, session.id, session.owner));
    sendJson(response, { result: own.map((session) => session.record()) });
  });
  router.post("/", async (request, response) => {
    const principal = await auth.apiKey(request, "createSession");
    queryOf(request);
    const { name } = parseParams(SessionBody, await jsonBody(request, response), "body");
    sendJson(response, { result: sessions.create(principal.user, name).record() }, {}, 201);
  });
  router.patch("/:session", async (request: Request<{ session: string }>, response) => {
    const principal = await auth.apiKey(request, "renameSession");
    checkOwner(principal, sessions.get(request.params.session));
    queryOf(request);
    const { name } = parseParams(SessionBody, await jsonBody(request, response), "body");
    sendJson(response, { result: sessions.rename(request.params.session, name).record() });
  });
  router.delete("/:session", async (request: Request<{ session: string }>, response) => {
    const principal = await auth.apiKey(request, "closeSession");
    const session = sessions.get(request.params.session);
    checkOwner(principal, session);
    const { force } = queryOf(request, CloseQuery);
    const record = session.record();
    if (force === "false" && record.shellCount > 0) {
      const running = record.shellCount === 1 ? "a shell runs" : `${record.shellCount} shells run`;
      throw new RemoteError(
        "shells_running",
        `In the session ${record.name} ${running}: close what runs first, or force it.`,
      );
    }
    await sessions.remove(session.id);
    sendJson(response, { result: record });
  });
  return router;
}

function mayAct({ user, session }: Principal, id: string, owner: string): boolean {
  return user === owner && (session === undefined || session === id);
}
