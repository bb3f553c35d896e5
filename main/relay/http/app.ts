import express, { type NextFunction, type Request, type Response, type Router } from "express";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { Log } from "../../system/log.ts";
import type { MetricsRecorder } from "../metrics/metrics-recorder.ts";
import { checkOrigin } from "../net/origin-guard.ts";
import { CHALLENGE, sendError, toRemoteError } from "../net/send.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import type { RemoteAccess } from "../tls/remote-access.ts";
import { appMessages, type HttpApp } from "./app-messages.ts";
import type { AuditedCalls } from "./audit-calls.ts";
import { type Auth, AuthError } from "./auth.ts";
import type { FairTurns } from "./fair-turns.ts";
import type { ForeignSessions } from "./foreign-sessions.ts";
import { recordRequests } from "./metrics-routes.ts";
import { type RouteAdder, RouteTable } from "./route-table.ts";
import type { UnreadAnswers } from "./unread-answers.ts";

interface AppOptions {
  /** Everything is served under this path as well, for example `/x`; "" for none. */
  readonly basePath: string;
  readonly log: Log;
  readonly metrics: MetricsRecorder;
  readonly tracing: Tracing;
  readonly audited: AuditedCalls;
  readonly auth: Auth;
  readonly turns: FairTurns;
  readonly unread: UnreadAnswers;
  /** Returns the sessions of other relays; undefined while the relay is in no fleet. */
  readonly foreign: () => ForeignSessions | undefined;
  /** How other machines reach the relay; undefined when they do not. */
  readonly remoteAccess: () => RemoteAccess | undefined;
  /** The commands, whose path is the hottest. */
  readonly commands: (routes: RouteAdder) => void;
  /** The rest of the API. */
  readonly api: readonly ((routes: RouteTable) => void)[];
  /** Pages for browsers, each below its path. */
  readonly pages: readonly (readonly [path: string, router: Router])[];
}

/** Makes the relay's HTTP interface, an Express application. */
export function createApp(options: AppOptions): HttpApp {
  const { log, audited, auth, turns, unread, commands, api, pages, basePath } = options;
  const table = new RouteTable();
  commands(table);
  for (const add of api) add(table);
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");
  app.set("case sensitive routing", true);
  const patterns = table.allowed().map(([path]) => path);
  app.use(recordRequests(patterns, options));
  app.use((request, _response, next) => {
    checkOrigin(request, options);
    next();
  });
  app.use((request, response, next) => {
    const isForeign = options.foreign()?.isForeign(request) === true;
    const caller = isForeign ? auth.networkOf(request) : auth.accountOf(request);
    unread.watch(caller, response);
    const turn = turns.take(caller);
    if (turn === undefined) next();
    else void turn.then(() => !request.socket.destroyed && next());
  });
  app.use((request, response, next) => {
    if (!options.foreign()?.answer(request, response, next)) next();
  });
  app.use(audited.watch);
  // Nested routers would slow every command down, so the commands are mounted here too.
  commands({
    get: (path, handler) => void app.get(path, handler),
    post: (path, handler) => void app.post(path, handler),
  });
  const router = express.Router({ caseSensitive: true });
  router.use(table.router);
  for (const [path, page] of pages) router.use(path, page);
  for (const [path, allowed] of table.allowed()) {
    router.all(path, (request) => {
      throw new WrongMethod(request.method, allowed);
    });
  }
  if (basePath !== "") app.use(basePath, router);
  app.use(router);
  app.use((request) => {
    throw new RemoteError("unknown_route", `No such path: ${request.path.slice(0, 100)}. See docs/api.md.`);
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    if (error instanceof WrongMethod) sendError(response, error, { Allow: error.allowed });
    else if (error instanceof AuthError) sendError(response, error, error.headers);
    else if (error instanceof RemoteError && error.code === "unauthenticated") sendError(response, error, CHALLENGE);
    else if (error instanceof URIError) sendError(response, new RemoteError("unknown_route", "The path is not valid."));
    else sendError(response, toRemoteError(error, log));
  });
  return { handle: app, messages: appMessages(app) };
}

class WrongMethod extends RemoteError {
  readonly allowed: string;

  constructor(method: string, allowed: string) {
    super("wrong_method", `This path does not take ${method}: it takes ${allowed}.`);
    this.allowed = allowed;
  }
}
