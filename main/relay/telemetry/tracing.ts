import type { RelayEvent } from "../../../core/protocol/events.ts";

/** A part of the relay's work, as a trace shows it. */
export interface Traced {
  readonly name: string;
  /** `server`: a request from outside. */
  readonly kind: "server" | "internal";
  readonly attributes: Readonly<Record<string, string | number>>;
  /** The caller's `traceparent` header (W3C Trace Context). Without a valid one a `server` span begins a trace. */
  readonly traceparent?: string | undefined;
}

/** What became of the work of a span. */
export interface Ended {
  readonly attributes?: Readonly<Record<string, string | number>>;
  /** The error's code or status; undefined for work that went well. */
  readonly error?: string | undefined;
}

/** Traces the relay's work. */
export interface Tracing {
  /**
   * Runs work as a span: what it begins belongs to it. The work itself tells when the span ends.
   * @param describe - called only where spans are recorded
   */
  span<T>(describe: () => Traced, work: (end: (ended: Ended) => void) => T): T;
  /** Returns the `traceparent` header for requests that the work under way sends; undefined outside of a span. */
  traceparent(): string | undefined;
}

/** Traces and metrics that leave the relay. */
export interface Telemetry extends Tracing, AsyncDisposable {}

/** What telemetry tells of, beside the spans. */
export interface TelemetrySources {
  /** Resolves to the metrics of `GET /v1/metrics` as JSON. */
  readonly metrics: () => Promise<unknown>;
  /** Calls back with each event of each session, until the returned function is called. */
  readonly events: (take: (session: string, event: RelayEvent) => void) => () => void;
}

/** Returns the span of a request, by the conventions for HTTP. @param route pattern of its path */
export function requestSpan(method: string, route: string, traceparent: string | string[] | undefined): Traced {
  return {
    name: `${method} ${route}`,
    kind: "server",
    attributes: { "http.request.method": method === "other" ? "_OTHER" : method, "http.route": route },
    traceparent: typeof traceparent === "string" ? traceparent : undefined,
  };
}

/** Returns how the span of a request ends: a caller's own mistake is no error of the relay. */
export function requestEnd(status: number): Ended {
  return {
    attributes: { "http.response.status_code": status },
    error: status >= 500 ? String(status) : undefined,
  };
}

/** Records nothing. */
export const noTracing: Tracing = {
  span: (_describe, work) => work(nothing),
  traceparent: () => undefined,
};

function nothing(): void {}
