import express, { type Router } from "express";
import { AuditQuery } from "../../../core/protocol/audit.ts";
import type { Audit } from "../audit/audit.ts";
import { sendJson } from "../net/send.ts";
import type { Auth } from "./auth.ts";
import { queryOf } from "./query.ts";

/** `GET /v1/audit`: who did what, the newest first; for keys without restrictions. */
export function auditRoutes({ audit, auth }: { audit: Audit; auth: Auth }): Router {
  const router = express.Router({ caseSensitive: true });
  router.get("/", async (request, response) => {
    await auth.apiKey(request);
    sendJson(response, { result: audit.list(queryOf(request, AuditQuery)) });
  });
  return router;
}
