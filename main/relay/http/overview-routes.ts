import type { Request, Response } from "express";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { OverviewChange } from "../../../core/protocol/overview-changes.ts";
import { accountOf } from "../access/permits/permit.ts";
import { OverviewWatch, type WatchOverviewOptions } from "../operations/watch-overview.ts";
import { CallerBudgets } from "../session/caller-budgets.ts";
import type { Auth } from "./auth.ts";
import { beginEventStream, closedMessage, keepStreamAlive } from "./event-stream.ts";
import { queryOf } from "./query.ts";
import type { RouteTable } from "./route-table.ts";

interface OverviewRoutesOptions extends WatchOverviewOptions {
  readonly auth: Auth;
}

/**
 * `GET /v1/overview/changes`: which parts of the overview have changed, as server-sent events, for the relay's owner with a
 * key without restrictions. One stream is enough for all sessions, of which a browser could not follow many.
 */
export function overviewRoutes({ auth, ...watched }: OverviewRoutesOptions): (routes: RouteTable) => void {
  const open = new CallerBudgets();
  const changes = (request: Request, response: Response) => {
    const principal = auth.connectionCaller(request, "overviewChanges");
    if (principal.user !== watched.user) throw new RemoteError("not_owner", "Only the relay's owner may see this.");
    queryOf(request);
    auth.checkStillValid(principal);
    response.once("close", open.open(accountOf(principal), "stream"));
    beginEventStream(response);
    if (request.method === "HEAD") return void response.end();
    response.write(": patchbay\n\n");
    const watch = new OverviewWatch(watched, (change) => {
      if (response.writableNeedDrain || response.writableEnded) return false;
      response.write(written(change));
      return true;
    });
    response.on("drain", () => watch.resume());
    const stopKeepAlive = keepStreamAlive(response);
    const stop = () => {
      watch[Symbol.dispose]();
      stopKeepAlive();
    };
    const release = auth.lifetimeOf(principal)?.onEnd(({ code, message: reason }) => {
      stop();
      response.end(closedMessage({ code, reason }));
    });
    response.on("close", () => {
      stop();
      release?.();
    });
  };
  return (routes) => routes.get("/v1/overview/changes", changes);
}

function written(data: OverviewChange): string {
  return `event: changed\ndata: ${JSON.stringify({ type: "changed", data })}\n\n`;
}
