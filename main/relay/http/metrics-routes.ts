import type { Request, Response } from "express";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { MetricsRecorder } from "../metrics/metrics-recorder.ts";
import { requestEnd, requestSpan, type Tracing } from "../telemetry/tracing.ts";
import type { Auth } from "./auth.ts";
import { queryOf } from "./query.ts";
import type { RouteTable } from "./route-table.ts";

interface MetricsRoutesOptions {
  readonly metrics: Pick<Metrics, "text" | "contentType">;
  readonly auth: Auth;
  /** Owner of the relay. */
  readonly user: string;
}

/** `GET /v1/metrics`: metrics of the relay in Prometheus' text format, for its owner's unrestricted keys. */
export function metricsRoutes({ metrics, auth, user }: MetricsRoutesOptions): (routes: RouteTable) => void {
  const answer = async (request: Request, response: Response) => {
    const caller = await auth.apiKey(request, "metrics");
    if (caller.user !== user) throw new RemoteError("not_owner", "Only the relay's owner may see this.");
    queryOf(request);
    const text = Buffer.from(await metrics.text());
    response.writeHead(200, {
      "Content-Type": metrics.contentType,
      "Content-Length": text.length,
      "Cache-Control": "no-store",
    });
    response.end(text);
  };
  return (routes) => routes.get("/v1/metrics", answer);
}

interface RequestRecorders {
  readonly metrics: MetricsRecorder;
  readonly tracing: Tracing;
  /** Everything is served under this path as well; "" for none. */
  readonly basePath: string;
}

/** Returns Express middleware that records every request by its route, and every finished one in the metrics. */
export function recordRequests(
  patterns: readonly string[],
  { metrics, tracing, basePath }: RequestRecorders,
): (request: Request, response: Response, next: () => void) => void {
  const routeOf = routeNames([...patterns, ...PAGES], basePath);
  return (request, response, next) => {
    const startedAt = performance.now();
    const method = METHODS.has(request.method) ? request.method : "other";
    const describe = () => requestSpan(method, routeOf(request.originalUrl), request.headers.traceparent);
    tracing.span(describe, (end) => {
      response.once("close", () => {
        // 499 as in nginx: the caller disconnected before the response.
        const status = response.writableFinished ? response.statusCode : 499;
        const route = routeOf(request.originalUrl);
        metrics.request({ method, route, status, seconds: (performance.now() - startedAt) / 1000 });
        end(requestEnd(status));
      });
      next();
    });
  };
}

/** Paths of browsers, which answer to more than their methods tell. */
const PAGES = [
  "/s/:session",
  "/s/:session/guest",
  "/s/:session/invite",
  "/s/:session/enter",
  "/s/assets/:file",
  "/s/:session/manifest.webmanifest",
  "/s/worker.js",
  "/s/icons/:file",
] as const;

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Returns a function from a URL to the pattern of its route, such as `/v1/sessions/:session/events`. Unknown paths share
 * the name `other`, which bounds the number of time series.
 */
export function routeNames(patterns: readonly string[], basePath: string): (url: string) => string {
  // By their number of parts: this runs for every request.
  const known = new Map<number, { readonly pattern: string; readonly parts: readonly string[] }[]>();
  for (const pattern of patterns) {
    const parts = pattern.split("/");
    known.set(parts.length, [...(known.get(parts.length) ?? []), { pattern, parts }]);
  }
  return (url) => {
    const [path = ""] = url.split("?", 1);
    const below = basePath !== "" && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
    const parts = (below.length > 1 && below.endsWith("/") ? below.slice(0, -1) : below).split("/");
    const route = known
      .get(parts.length)
      ?.find((candidate) => candidate.parts.every((part, index) => part.startsWith(":") || part === parts[index]));
    return route?.pattern ?? "other";
  };
}
