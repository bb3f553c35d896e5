import express, { type Express, type NextFunction, type Request, type Response, type Router } from "express";
import { methodNames, specs } from "../../../core/commands/specs.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { Log } from "../../system/log.ts";
import type { InviteStore } from "../access/invites.ts";
import type { Keys } from "../access/keys.ts";
import type { Logins } from "../access/logins.ts";
import type { Audit } from "../audit/audit.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { ArrivalTimeouts } from "../net/arrival-timeouts.ts";
import type { ConnectionGate } from "../net/connection-gate.ts";
import { checkOrigin } from "../net/origin-guard.ts";
import { sendError, sendJson, toRemoteError } from "../net/send.ts";
import type { Plugins } from "../plugins/plugins.ts";
import type { ShellHostPort } from "../session/ports.ts";
import type { Sessions } from "../session/sessions.ts";
import type { RequestRows } from "../store/request-rows.ts";
import type { Outside } from "../tls/remote-access.ts";
import type { TunnelGate } from "../tunnels/tunnel-gate.ts";
import type { AuditedCalls } from "./audit-calls.ts";
import { auditRoutes } from "./audit-routes.ts";
import { type Auth, AuthError } from "./auth.ts";
import { eventRoutes } from "./event-routes.ts";
import { inviteRoutes } from "./invite-routes.ts";
import { keyRoutes, pendingLoginRoutes } from "./key-routes.ts";
import { loginRoutes } from "./login-routes.ts";
import { countRequests, metricsRoutes } from "./metrics-routes.ts";
import { outputRoutes } from "./output-routes.ts";
import { pluginPageRoutes } from "./plugin-page-routes.ts";
import { pluginRoutes } from "./plugin-routes.ts";
import { queryOf } from "./query.ts";
import { remoteRoutes } from "./remote-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { shellHostRoutes } from "./shell-host-routes.ts";
import { tunnelRoutes } from "./tunnel-routes.ts";
import { webRoutes } from "./web-routes.ts";
import { whoAmI } from "./who-am-i.ts";

export interface AppParts {
  readonly sessions: Sessions;
  readonly shellHost: ShellHostPort;
  readonly plugins: Plugins;
  readonly auth: Auth;
  readonly audit: Audit;
  readonly audited: AuditedCalls;
  readonly keys: Keys;
  readonly logins: Logins;
  /** Whom new keys belong to: the operating-system user that runs the relay. */
  readonly user: string;
  readonly boot: string;
  readonly version: string;
  readonly commandTimeoutMs: number;
  /** Everything is served under this path as well, for example `/x`; "" for none. */
  readonly basePath: string;
  readonly log: Log;
  readonly guests: InviteStore;
  readonly tunnelGate: TunnelGate;
  readonly metrics: Metrics;
  readonly gate: ConnectionGate;
  /** Requests with an `Idempotency-Key`. */
  readonly requests: RequestRows;
  /** Base address of the relay. */
  readonly url: () => string;
  /** How other machines reach the relay; undefined when they do not. */
  readonly outside: () => Outside | undefined;
  /** Folder of the built pages. */
  readonly pagesFolder: string;
  readonly timeouts: ArrivalTimeouts;
}

/** The HTTP face of the relay, as an Express application; `docs` are the routes of its description. */
export function createApp(parts: AppParts, docs: Router): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");
  app.set("case sensitive routing", true);
  const patterns = allowedMethods().map(([path]) => path);
  app.use(countRequests(parts.metrics, patterns, parts.basePath));
  app.use((request, _response, next) => {
    checkOrigin(request, parts);
    next();
  });
  app.use(parts.audited.watch);
  const remote = remoteRoutes(parts);
  remote(app);
  const api = apiRoutes(parts, remote, docs);
  if (parts.basePath !== "") app.use(parts.basePath, api);
  app.use(api);
  app.use((request) => {
    throw new RemoteError("unknown_route", `No such path: ${request.path.slice(0, 100)}. See docs/api.md.`);
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    if (error instanceof WrongMethod) sendError(response, error, { Allow: error.allowed });
    else if (error instanceof AuthError) sendError(response, error, error.headers);
    else if (error instanceof URIError) sendError(response, new RemoteError("unknown_route", "The path is not valid."));
    else sendError(response, toRemoteError(error, parts.log));
  });
  return app;
}

function apiRoutes(parts: AppParts, remote: (router: Router) => void, docs: Router): Router {
  const router = express.Router({ caseSensitive: true });
  remote(router);
  router.use("/v1/sessions/:session/events", eventRoutes(parts));
  router.use("/v1/sessions/:session/shells/:shell/output", outputRoutes(parts));
  router.use("/v1/sessions/:session/plugins/:plugin/:sha256", pluginPageRoutes(parts));
  router.use("/v1/sessions/:session/plugins", pluginRoutes(parts));
  router.use("/v1/sessions/:session/invites", inviteRoutes(parts));
  router.use("/v1/sessions", sessionRoutes(parts));
  router.use("/v1/audit", auditRoutes(parts));
  router.use("/v1/shell-host", shellHostRoutes(parts));
  router.use("/v1/metrics", metricsRoutes(parts));
  router.use("/v1/oauth", loginRoutes(parts));
  router.use("/v1/keys", keyRoutes(parts));
  router.use("/v1/logins", pendingLoginRoutes(parts));
  router.get("/v1/whoami", async (request, response) => {
    const principal = await parts.auth.apiKey(request, "whoAmI");
    queryOf(request);
    sendJson(response, { result: await whoAmI(principal, parts) });
  });
  router.use("/s/:session/tunnels", tunnelRoutes(parts));
  router.use("/s", webRoutes(parts));
  router.use("/v1", docs);
  router.get("/v1/health", (request, response) => {
    queryOf(request);
    sendJson(response, { ok: true, version: parts.version });
  });
  for (const [path, allowed] of allowedMethods()) {
    router.all(path, (request) => {
      throw new WrongMethod(request.method, allowed);
    });
  }
  return router;
}

/** Every path with the methods it has: what falls through to here came with another one. */
function allowedMethods(): [path: string, allowed: string][] {
  const shortcuts = methodNames.flatMap((method) => specs[method].shortcut ?? []);
  return [
    ["/v1/sessions/:session/remote/command", "POST"],
    ...shortcuts.map((name): [string, string] => [`/v1/sessions/:session/remote/${name}`, "GET, HEAD"]),
    ["/v1/sessions/:session/events", "GET, HEAD"],
    ["/v1/sessions/:session/shells/:shell/output", "GET, HEAD"],
    ["/v1/sessions/:session/plugins", "GET, HEAD, POST"],
    ["/v1/sessions/:session/plugins/:plugin", "DELETE"],
    ["/v1/sessions/:session/plugins/:plugin/:sha256/frame", "GET, HEAD"],
    ["/v1/sessions/:session/plugins/:plugin/:sha256/page", "GET, HEAD"],
    ["/v1/sessions/:session/plugins/:plugin/:sha256/patchbay.js", "GET, HEAD"],
    ["/v1/sessions/:session/invites", "GET, HEAD, POST"],
    ["/v1/sessions/:session/invites/:invite", "DELETE"],
    ["/v1/sessions/:session", "PATCH, DELETE"],
    ["/v1/sessions", "GET, HEAD, POST"],
    ["/v1/oauth/device_authorization", "POST"],
    ["/v1/oauth/token", "POST"],
    ["/v1/oauth/revoke", "POST"],
    ["/v1/oauth/device", "GET, HEAD"],
    ["/v1/keys", "GET, HEAD, POST"],
    ["/v1/keys/:key", "DELETE"],
    ["/v1/logins", "GET, HEAD"],
    ["/v1/logins/:code", "POST"],
    ["/v1/whoami", "GET, HEAD"],
    ["/v1/audit", "GET, HEAD"],
    ["/v1/shell-host", "GET, HEAD"],
    ["/v1/shell-host/restart", "POST"],
    ["/v1/metrics", "GET, HEAD"],
    ["/v1/health", "GET, HEAD"],
    ["/v1/openapi.json", "GET, HEAD"],
    ["/v1/docs", "GET, HEAD"],
  ];
}

class WrongMethod extends RemoteError {
  readonly allowed: string;

  constructor(method: string, allowed: string) {
    super("wrong_method", `This path does not take ${method}: it takes ${allowed}.`);
    this.allowed = allowed;
  }
}
